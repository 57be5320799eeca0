"""Pictures in, readings out; knows what lies on a table and nothing of what is allowed there."""
