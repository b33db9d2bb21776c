# Runs blocks of R in one long-lived process and tells the host what happens.
#
# Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. R cannot
# use a descriptor that it did not open, so `cat` carries both. An event that must keep its place in the output carries a
# mark, and the same mark is written to stdout and stderr first.

local({
  commands <- pipe("trap '' INT; exec cat <&3 2>/dev/null", "rb")
  events <- pipe("trap '' INT; exec cat >&4 2>/dev/null", "wb")
  nonce <- ""
  marks <- 0L
  asked <- 0L
  running <- FALSE
  plots <- tempfile("plots")

  send <- function(text) {
    writeBin(charToRaw(enc2utf8(paste0("\n", text, "\n"))), events)
    flush(events)
  }

  # Sends an event that keeps its place between what was printed before and after it.
  place <- function(fields) suspendInterrupts({
    marks <<- marks + 1L
    mark <- sprintf("\036%s:%d\036", nonce, marks)
    while (sink.number() > 0) sink()
    cat(mark, file = stdout())
    flush(stdout())
    if (sink.number("message") != 2) sink(type = "message")
    cat(mark, file = stderr())
    send(sprintf('{%s,"mark":%d}', fields, marks))
  })

  json <- function(text) {
    text <- iconv(enc2utf8(paste(text, collapse = "\n")), "UTF-8", "UTF-8", sub = "\ufffd")
    text <- gsub("\\", "\\\\", text, fixed = TRUE)
    text <- gsub("\"", "\\\"", text, fixed = TRUE)
    for (code in c(1:31, 127)) {
      char <- rawToChar(as.raw(code))
      if (grepl(char, text, fixed = TRUE)) text <- gsub(char, sprintf("\\u%04x", code), text, fixed = TRUE)
    }
    paste0("\"", text, "\"")
  }

  base64 <- function(bytes) {
    pad <- (3 - length(bytes) %% 3) %% 3
    triple <- matrix(as.integer(c(bytes, raw(pad))), nrow = 3)
    word <- triple[1, ] * 65536L + triple[2, ] * 256L + triple[3, ]
    letter <- c(LETTERS, letters, 0:9, "+", "/")
    out <- letter[rbind(word %/% 262144L, word %/% 4096L %% 64L, word %/% 64L %% 64L, word %% 64L) + 1L]
    if (pad > 0) out[length(out) - seq_len(pad) + 1L] <- "="
    paste(out, collapse = "")
  }

  read_bytes <- function(count) {
    text <- rawToChar(readBin(commands, "raw", count))
    Encoding(text) <- "UTF-8"
    text
  }

  next_command <- function() {
    line <- readLines(commands, 1L, warn = FALSE)
    if (length(line) == 0) quit("no", status = 0L, runLast = FALSE)
    word <- strsplit(line, " ", fixed = TRUE)[[1]]
    list(op = word[1], id = word[2], bytes = word[3], name = sub("^\\S+ \\S+ \\S+ ?", "", line))
  }

  ask <- function(prompt = "", hidden = FALSE) {
    asked <<- asked + 1L
    id <- asked
    place(sprintf('"op":"ask","id":%d,"prompt":%s,"hidden":%s', id, json(prompt), tolower(hidden)))
    repeat {
      command <- next_command()
      if (command$op != "answer") next
      text <- if (command$bytes != "-") read_bytes(as.integer(command$bytes))
      if (as.integer(command$id) != id) next # of a question that was interrupted
      if (is.null(text)) stop("input was asked for, but nobody is here to answer. Put the value into the code instead.", call. = FALSE)
      return(text)
    }
  }

  # Plots go to pictures, each page to one, and are shown when the block ends.
  open_plots <- function(...) {
    dir.create(plots, showWarnings = FALSE)
    kind <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    grDevices::png(file.path(plots, "plot%03d.png"), width = 960, height = 720, res = 120, type = kind)
  }

  show_plots <- function(wanted) {
    if (!dir.exists(plots)) return(invisible())
    while (grDevices::dev.cur() > 1) grDevices::dev.off()
    for (file in list.files(plots, full.names = TRUE)) {
      bytes <- readBin(file, "raw", file.size(file))
      if (wanted && length(bytes) > 0) {
        place(sprintf('"op":"display","bundle":{"image/png":"%s","text/plain":"[plot]"}', base64(bytes)))
      }
    }
    unlink(plots, recursive = TRUE)
  }

  # The calls between the block and the place of the error, ours left out.
  calls_of <- function(calls) {
    texts <- vapply(calls, function(call) paste(deparse(call, nlines = 1L), collapse = " "), "")
    start <- max(0L, which(startsWith(texts, "withVisible(eval(expression_now")))
    kept <- texts[seq_along(texts) > start + 2L]
    stop_at <- which(grepl("^(\\.handleSimpleError|h\\(simpleError|stop\\(|\\(function \\(condition\\))", kept))
    if (length(stop_at) > 0) kept <- kept[seq_len(stop_at[1] - 1L)]
    substr(kept, 1L, 200L)
  }

  run <- function(id, code, name) {
    status <- "ok"
    failed <- NULL
    line <- 0L
    seen <- character()
    outcome <- tryCatch(
      {
        source <- srcfilecopy(name, strsplit(code, "\n", fixed = TRUE)[[1]], isFile = FALSE)
        expressions <- parse(text = code, keep.source = TRUE, srcfile = source)
        withCallingHandlers(
          for (index in seq_along(expressions)) {
            expression_now <- expressions[[index]]
            first <- attr(expressions, "srcref")[[index]][1]
            if (first != line) send(sprintf('{"op":"line","line":%d}', first))
            line <- first
            value <- withVisible(eval(expression_now, globalenv()))
            if (value$visible) {
              if (isS4(value$value)) methods::show(value$value) else print(value$value)
            }
          },
          error = function(error) seen <<- calls_of(sys.calls())
        )
        NULL
      },
      interrupt = function(stopped) stopped,
      error = function(error) error
    )
    suspendInterrupts({
      running <<- FALSE
      if (inherits(outcome, "interrupt")) {
        status <- "interrupted"
        place('"op":"error","name":"interrupt","message":"","traceback":"Interrupted\\n"')
      } else if (inherits(outcome, "error")) {
        status <- "error"
        message <- conditionMessage(outcome)
        call <- conditionCall(outcome)
        where <- if (line > 0L) sprintf(" (%s, line %d)", name, line) else ""
        head <- if (is.null(call) || line == 0L) "Error" else paste("Error in", deparse(call, nlines = 1L)[1])
        trace <- if (length(seen) > 1) paste0("\nCalls: ", paste(sub("\\(.*", "", seen), collapse = " -> ")) else ""
        text <- sprintf("%s%s: %s%s\n", head, where, message, trace)
        place(sprintf('"op":"error","name":%s,"message":%s,"traceback":%s', json(class(outcome)[1]), json(message), json(text)))
      }
      tryCatch(show_plots(status == "ok"), error = function(error) message("The plot could not be shown: ", conditionMessage(error)))
      place(sprintf('"op":"end","id":%s,"status":"%s"', id, status))
    })
  }

  # The folder of our own temporary files is not for programs that a block starts.
  tempdir()
  if (nzchar(Sys.getenv("OI_TMPDIR"))) Sys.setenv(TMPDIR = Sys.getenv("OI_TMPDIR")) else Sys.unsetenv("TMPDIR")
  Sys.unsetenv("OI_TMPDIR")
  if (!isTRUE(l10n_info()[["UTF-8"]])) suppressWarnings(Sys.setlocale("LC_CTYPE", "C.UTF-8"))
  options(warn = 1, device = open_plots, width = 100L, keep.source = TRUE, browser = "false", pager = "cat")
  attach(list(readline = function(prompt = "") ask(prompt)), name = "interpreter", warn.conflicts = FALSE)
  suspendInterrupts(repeat {
    command <- next_command()
    if (command$op == "nonce") {
      nonce <- command$id
      send(sprintf('{"op":"ready","version":"%s.%s"}', R.version$major, R.version$minor))
    } else if (command$op == "run") {
      code <- read_bytes(as.integer(command$bytes))
      allowInterrupts(run(command$id, code, command$name))
    }
  })
})
