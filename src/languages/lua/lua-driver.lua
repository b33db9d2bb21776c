-- Runs blocks of Lua in one long-lived process and tells the host what happens.
--
-- Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. Lua cannot
-- use a descriptor that it did not open, so `cat` carries both. An event that must keep its place in the output carries a
-- mark, and the same mark is written to stdout and stderr first. Lua 5.1 and newer.
--
-- Lua's own program turns SIGINT into an error once, for each piece of code on its command line. What this file returns is
-- such a piece: it serves blocks until one is interrupted.

local commands = assert(io.popen("trap '' INT; exec cat <&3 2>/dev/null", "r"))
local events = assert(io.popen("trap '' INT; exec cat >&4 2>/dev/null", "w"))
local stdout, stderr, traceback, pcall, xpcall = io.stdout, io.stderr, debug.traceback, pcall, xpcall
local format, tostring, type, select, error, load = string.format, tostring, type, select, error, loadstring or load
local unpack = table.unpack or unpack
local nonce, marks, asked = "", 0, 0
local current -- number of the block that runs

stdout:setvbuf("no")

local function send(text)
  events:write("\n", text, "\n")
  events:flush()
end

-- Sends an event that keeps its place between what was printed before and after it.
local function place(fields)
  marks = marks + 1
  local mark = format("\30%s:%d\30", nonce, marks)
  stdout:write(mark)
  stdout:flush()
  stderr:write(mark)
  stderr:flush()
  send(format('{%s,"mark":%d}', fields, marks))
end

local function json(text)
  return '"' .. text:gsub('[%c"\\]', function(char) return format("\\u%04x", char:byte()) end) .. '"'
end

local function next_command()
  local line = commands:read("*l")
  if not line then os.exit(0) end
  return line:match("^(%S+) ?(%S*) ?(%S*) ?(.*)$")
end

local function ask()
  asked = asked + 1
  local number = tostring(asked)
  place(format('"op":"ask","id":%s,"prompt":"","hidden":false', number))
  while true do
    local op, id, bytes = next_command()
    if op == "answer" then
      local text = bytes ~= "-" and (commands:read(tonumber(bytes)) or "")
      if id == number then
        return text or error("input was asked for, but nobody is here to answer. Put the value into the code instead.", 0)
      end
    end
  end
end

-- io.read: every line read from stdin is asked of the person.
local own_input, own_read = io.input(), io.read
function io.read(...)
  if io.input() ~= own_input then return own_read(...) end
  local kind = tostring((...) or "l"):gsub("^%*", "")
  local text = ask()
  if kind == "n" then return tonumber(text) end
  return kind == "L" and text .. "\n" or text
end

local function described(value)
  if type(value) == "string" then return format("%q", value):gsub("\\\n", "\\n") .. "" end
  if type(value) ~= "table" or (getmetatable(value) or {}).__tostring then return tostring(value) end
  local parts, seen = {}, 0
  for key, item in pairs(value) do
    seen = seen + 1
    if seen > 100 then
      parts[#parts + 1] = "…"
      break
    end
    local shown = type(item) == "string" and format("%q", item) or tostring(item)
    if key == seen then parts[#parts + 1] = shown
    else parts[#parts + 1] = (type(key) == "string" and key or "[" .. tostring(key) .. "]") .. " = " .. shown end
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- As Lua's own prompt does: what can be read as an expression is one, and its values are shown. Here, the last lines too.
local function compile(code, name)
  local chunk = load("return " .. code, "=" .. name)
  if chunk then return chunk end
  local at, tries = #code, 0
  while tries < 40 do
    while at > 0 and code:byte(at) ~= 10 do at = at - 1 end
    if at == 0 then break end
    local last = code:sub(at + 1)
    if last:find("%S") then
      tries = tries + 1
      chunk = load(code:sub(1, at) .. "return " .. last, "=" .. name)
      -- Only a line that is no statement by itself: a call of a function shows nothing it does not print.
      if chunk then return load(code, "=" .. name) or chunk end
    end
    at = at - 1
  end
  return load(code, "=" .. name)
end

local function handler(problem)
  if type(problem) ~= "string" and not (getmetatable(problem) or {}).__tostring then
    problem = "error object: " .. described(problem)
  end
  local trace = traceback(tostring(problem), 2)
  -- Our own frames are the last ones.
  trace = trace:gsub("\n%s*%[C%]: in function 'xpcall'.*$", ""):gsub("\n[^\n]*lua%-driver%.lua:[^\n]*", "")
  return { message = tostring(problem), trace = trace }
end

local function finish(status)
  local id = current
  current = nil
  place(format('"op":"end","id":%s,"status":"%s"', id, status))
end

local function run(code, name)
  local chunk, problem = compile(code, name)
  if not chunk then
    place(format('"op":"error","name":"SyntaxError","message":%s,"traceback":%s', json(problem), json(problem .. "\n")))
    return finish("error")
  end
  local function collect(ok, ...)
    return ok, select("#", ...), { ... }
  end
  local ok, count, values = collect(xpcall(chunk, handler))
  if not ok then
    local failure = type(values[1]) == "table" and values[1] or { message = tostring(values[1]), trace = tostring(values[1]) }
    if failure.message:find("interrupted!", 1, true) then
      place('"op":"error","name":"Interrupt","message":"","traceback":"Interrupted\\n"')
      finish("interrupted")
      return "interrupted"
    end
    place(format('"op":"error","name":"Error","message":%s,"traceback":%s', json(failure.message), json(failure.trace .. "\n")))
    return finish("error")
  end
  if count > 0 and not (count == 1 and values[1] == nil) then
    local parts = {}
    for index = 1, count do parts[index] = described(values[index]) end
    place('"op":"display","bundle":{"text/plain":' .. json(table.concat(parts, "\t")) .. "}")
  end
  finish("ok")
end

local function serve()
  while true do
    local op, first, bytes, name = next_command()
    if op == "nonce" then
      nonce = first
      send(format('{"op":"ready","version":"%s"}', ((jit and jit.version or _VERSION):gsub("^%a+ ?", ""))))
    elseif op == "run" then
      current = first
      local code = tonumber(bytes) > 0 and commands:read(tonumber(bytes)) or ""
      if run(code, name) then return end
    end
  end
end

arg = {}
return function()
  local ok, problem = pcall(serve)
  -- Interrupted in between: the block is over, and the handler must be armed again.
  if not ok and current then
    place(format('"op":"error","name":"Interrupt","message":"","traceback":%s', json(tostring(problem) .. "\n")))
    finish("interrupted")
  end
end
