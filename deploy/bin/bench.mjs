#!/usr/bin/env node
import '../dist/bench/main.js';
