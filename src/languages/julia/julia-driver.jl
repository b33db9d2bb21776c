# Runs blocks of Julia in one long-lived process and tells the host what happens.
#
# Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. An event
# that must keep its place in the output carries a mark, and the same mark is written to stdout and stderr first.

module OpenInterpreterDriver

const commands = fdio(3)
const events = fdio(4)
const nonce = Ref("")
const marks = Ref(0)

function send(text)
    write(events, "\n", text, "\n")
    flush(events)
end

"Sends an event that keeps its place between what was printed before and after it."
function place(fields)
    disable_sigint() do
        marks[] += 1
        mark = string('\x1e', nonce[], ':', marks[], '\x1e')
        for stream in (stdout, stderr)
            write(stream, mark)
            flush(stream)
        end
        send(string('{', fields, ",\"mark\":", marks[], '}'))
    end
end

function json(text)
    out = IOBuffer()
    print(out, '"')
    for char in text
        if !isvalid(char)
            print(out, '\ufffd')
        elseif char < ' ' || char == '"' || char == '\\'
            print(out, "\\u", string(UInt32(char), base = 16, pad = 4))
        else
            print(out, char)
        end
    end
    print(out, '"')
    return String(take!(out))
end

function bundle(value)
    parts = String[]
    plain = Base.invokelatest(sprint, show, MIME("text/plain"), value; context = :limit => true)
    push!(parts, "\"text/plain\":" * json(plain))
    for kind in ("text/html", "image/svg+xml")
        if Base.invokelatest(showable, kind, value)
            push!(parts, json(kind) * ":" * json(Base.invokelatest(repr, MIME(kind), value)))
        end
    end
    if Base.invokelatest(showable, "image/png", value)
        bytes = Base.invokelatest(repr, MIME("image/png"), value)
        push!(parts, "\"image/png\":" * json(Base64.base64encode(bytes)))
    end
    return "{" * join(parts, ",") * "}"
end

"Each value that is shown by `display` goes to the host as well."
struct HostDisplay <: AbstractDisplay end
Base.display(::HostDisplay, @nospecialize(value)) = place("\"op\":\"display\",\"bundle\":" * bundle(value))
Base.display(::HostDisplay, ::MIME, @nospecialize(value)) = place("\"op\":\"display\",\"bundle\":" * bundle(value))

function run(id, code, name)
    status = "ok"
    try
        value = include_string(softscope, Main, code, name)
        if value !== nothing && !endswith(rstrip(code), ';') && !quiet(code)
            display(HostDisplay(), value)
        end
    catch problem
        trace = catch_backtrace()
        while problem isa LoadError
            problem = problem.error
        end
        if problem isa InterruptException
            status = "interrupted"
            place("\"op\":\"error\",\"name\":\"InterruptException\",\"message\":\"\",\"traceback\":\"Interrupted\\n\"")
        else
            status = "error"
            message = Base.invokelatest(sprint, showerror, problem)
            kept = filter(frame -> !occursin("julia-driver.jl", string(frame.file)) && !(String(frame.file) in ("boot.jl", "./boot.jl", "./loading.jl", "loading.jl")), stacktrace(trace))
            lines = ["  $(frame.func) at $(frame.file):$(frame.line)" for frame in kept]
            text = "ERROR: " * message * "\n" * join(lines[1:min(end, 30)], "\n") * "\n"
            place("\"op\":\"error\",\"name\":$(json(string(nameof(typeof(problem))))),\"message\":$(json(message)),\"traceback\":$(json(text))")
        end
    end
    place("\"op\":\"end\",\"id\":$id,\"status\":\"$status\"")
end

"As at Julia's own prompt, a loop at the top level may assign to the variables around it."
softscope(expression) = expression isa Expr && expression.head in (:toplevel, :block) ?
    Expr(expression.head, map(softscope, expression.args)...) :
    expression isa Expr && expression.head in (:for, :while, :try, :let) ?
    Expr(:block, Expr(:softscope, true), expression) : expression

"A definition or an assignment has a value too, but nobody asked for it."
function quiet(code)
    last = Meta.parseall(code)
    while last isa Expr && last.head in (:toplevel, :block) && !isempty(last.args)
        last = last.args[end]
    end
    return last isa Expr && last.head in (:(=), :function, :macro, :struct, :module, :using, :import, :const, :global)
end

function serve()
    while !eof(commands)
        word = split(readline(commands), ' '; limit = 4)
        if word[1] == "nonce"
            nonce[] = String(word[2])
            send("{\"op\":\"ready\",\"version\":\"$VERSION\"}")
        elseif word[1] == "run"
            run(word[2], String(read(commands, parse(Int, word[3]))), String(word[4]))
        end
    end
    exit(0)
end

import Base64

end

Base.exit_on_sigint(false)
empty!(ARGS)
pushdisplay(OpenInterpreterDriver.HostDisplay())
while true
    try
        OpenInterpreterDriver.serve()
    catch problem
        problem isa InterruptException || rethrow()
    end
end
