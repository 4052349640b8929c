#!/usr/bin/env node
import '../dist/bundle/start.js';
