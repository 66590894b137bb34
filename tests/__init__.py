"""Tests: `unit` pure code, `integration` the database and the API, `contract` adapters, `e2e` a browser."""
