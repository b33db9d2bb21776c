Magics and commands.

# %%
%pwd

# %%
!echo hello

# %%
name = "Ada"
!echo {name} $name {1 + 1}

# %%
lines = !printf 'a\nb\n'
lines

# %%
%%bash
for i in 1 2 3; do echo $i; done

# %%
%%bash
exit 3

# %%
%%sh
echo from sh

# %%
%%writefile made.py
value = 6
print("made", value)

# %%
%run made.py
value * 7

# %%
import made
made.value

# %%
%time sum(range(10))

# %%
%%time
total = sum(range(10))
total

# %%
%timeit -n 10 -r 2 sum(range(10))

# %%
%%timeit -n 10 -r 2
sum(range(10))

# %%
best = %timeit -n 10 -r 2 -q -o 1
best.loops

# %%
%env GREETING=hello

# %%
%env GREETING

# %%
!echo $GREETING

# %%
%mkdir inside
%cd inside

# %%
%cd -q ..
!ls

# %%
%%capture kept
print("hidden")

# %%
kept.stdout

# %%
%%html
<b>bold</b>

# %%
%%latex
$x^2$

# %%
%%javascript
1 + 1

# %%
%%markdown
*emphasis*

# %%
%matplotlib inline

# %%
%config InlineBackend.figure_format = 'png'

# %%
%load_ext autoreload
%autoreload 2

# %%
def add(a, b):
    "Adds."
    return a + b
for i in range(2):
    !echo {i}
    %time add(i, 1)

# %%
add?

# %%
%no_such_magic

# %%
%%no_such_cell_magic
text

# %%
%who_ls int

# %%
text = '''
%pwd
!echo no
'''
text

# %%
7 \
% 4

# %%
get_ipython().run_line_magic("pwd", "")

# %%
%precision 3
3.14159265

# %%
%%python3
print("another Python")

# %%
!!echo one

# %%
%%script sh -s argument
echo $1
