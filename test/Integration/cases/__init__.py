"""Single-operator models, one module per family of operators."""
