"""What ./lab lint checks: the form of the sources, the types of the Python, and mistakes that a program can see in a text."""
