import './import-help.ts';
