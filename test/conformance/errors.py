Errors, by their type.

# %%
1 / 0

# %%
print("before")
undefined_name

# %%
def broken(:
    pass

# %%
  indented = 1

# %%
raise ValueError("a message")

# %%
try:
    {}["missing"]
except KeyError as error:
    raise RuntimeError("outer") from error

# %%
import no_such_module_anywhere

# %%
assert 1 == 2, "not equal"

# %%
class Own(Exception):
    pass
raise Own("mine")

# %%
def deep(n): return deep(n + 1)
deep(0)

# %%
"still alive"

# %%
input("name? ")

# %%
class Bad:
    def __repr__(self):
        raise ValueError("no repr")
Bad()

# %%
raise KeyboardInterrupt

# %%
print("printed, then")
int("x")
