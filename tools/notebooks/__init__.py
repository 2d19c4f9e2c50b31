"""Lessons as notebooks for Jupyter and Colab."""
