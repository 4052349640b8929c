#!/usr/bin/env node
import '../dist/bundle/parley.js';
