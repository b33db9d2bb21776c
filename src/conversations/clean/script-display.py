def display(*values):
    for value in values:
        show_value(value)
