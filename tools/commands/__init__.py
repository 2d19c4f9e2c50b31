"""The commands of lab, a module for each. tools/lab.py has the list of them."""
