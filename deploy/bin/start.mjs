#!/usr/bin/env node
import '../dist/local/main.js';
