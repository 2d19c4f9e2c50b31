"""Grades folders of students' files: ./lab grade."""
