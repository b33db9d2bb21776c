def show_value(value):
    """Shows a value as a session does."""
    if value is not None:
        print(repr(value))
