// Runs blocks of Java through JShell in one long-lived process and tells the host what happens.
//
// Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. An event
// that must keep its place in the output carries a mark, and the same mark is written to stdout and stderr first.
// JShell runs its code in this very process, so that stdout and stderr are the process's own. Java 11 and newer.

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;
import jdk.jshell.*;

class OpenInterpreterDriver {
  static final String NOBODY =
      "input was asked for, but nobody is here to answer. Put the value into the code instead.";
  static final String[] IMPORTS = {
    "java.io.*", "java.math.*", "java.net.*", "java.nio.file.*", "java.time.*", "java.util.*", "java.util.concurrent.*",
    "java.util.function.*", "java.util.regex.*", "java.util.stream.*"
  };

  /** What has a value of its own; an assignment has one too, but nobody asked for it. */
  static final Set<Snippet.SubKind> shown = EnumSet.of(
      Snippet.SubKind.TEMP_VAR_EXPRESSION_SUBKIND,
      Snippet.SubKind.VAR_VALUE_SUBKIND,
      Snippet.SubKind.OTHER_EXPRESSION_SUBKIND);

  static InputStream commands;
  static OutputStream events;
  static FileOutputStream[] streams = {new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err)};
  static JShell shell;
  static String nonce = "";
  static int marks;
  static int asked;
  static volatile boolean running;
  static volatile boolean stopped;
  static volatile boolean evaluating;
  /** Where each snippet stands: the block's name and the line it begins at. */
  static final Map<String, Object[]> places = new HashMap<>();

  public static void main(String[] args) throws Exception {
    var byNumber = FileDescriptor.class.getDeclaredConstructor(int.class);
    byNumber.setAccessible(true);
    commands = new BufferedInputStream(new FileInputStream(byNumber.newInstance(3)));
    events = new FileOutputStream(byNumber.newInstance(4));
    System.setOut(new PrintStream(streams[0], true, "UTF-8"));
    System.setErr(new PrintStream(streams[1], true, "UTF-8"));
    System.setIn(new AskingInput());
    sun.misc.Signal.handle(new sun.misc.Signal("INT"), signal -> stop());
    shell = JShell.builder().executionEngine("local").out(System.out).err(System.err).in(System.in).build();
    for (String name : IMPORTS) shell.eval("import " + name + ";");
    shell.eval("1"); // loads the compiler before the first block needs it
    for (String line = readLine(); line != null; line = readLine()) {
      String[] word = line.split(" ", 4);
      if (word[0].equals("nonce")) {
        nonce = word[1];
        send("{\"op\":\"ready\",\"version\":" + json(System.getProperty("java.version")) + "}");
      } else if (word[0].equals("run")) {
        run(word[1], read(Integer.parseInt(word[2])), word[3]);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  static void stop() {
    if (!running) return;
    if (stopped) return;
    stopped = true;
    // A snippet that is still being compiled cannot be stopped, only once it runs.
    var again = new Thread(() -> {
      while (running && stopped) {
        if (evaluating) shell.stop();
        try {
          Thread.sleep(20);
        } catch (InterruptedException over) {
          return;
        }
      }
    });
    again.setDaemon(true);
    again.start();
  }

  static void run(String id, String code, String name) throws Exception {
    running = true;
    stopped = false;
    boolean fine = false;
    try {
      fine = evaluate(withoutPackage(code), name);
    } catch (IllegalStateException over) {
      Runtime.getRuntime().halt(1);
    } finally {
      running = false;
    }
    if (stopped) place("\"op\":\"error\",\"name\":\"Interrupt\",\"message\":\"\",\"traceback\":\"Interrupted\\n\"");
    place("\"op\":\"end\",\"id\":" + id + ",\"status\":\"" + (stopped ? "interrupted" : fine ? "ok" : "error") + "\"");
  }

  /** A snippet has no package; the line stays, so that the numbers of the others are right. */
  static String withoutPackage(String code) {
    Matcher found = Pattern.compile("\\A(\\s*(?://[^\\n]*\\n\\s*)*)package\\s+[\\w.]+\\s*;").matcher(code);
    return found.find() ? found.replaceFirst("$1") : code;
  }

  static boolean evaluate(String code, String name) throws Exception {
    var analysis = shell.sourceCodeAnalysis();
    String rest = code;
    int line = 1;
    Snippet last = null;
    boolean onlyDeclarations = true;
    while (!rest.isBlank()) {
      if (stopped) return false;
      int spaces = rest.length() - rest.stripLeading().length();
      line += lines(rest.substring(0, spaces));
      rest = rest.substring(spaces);
      var info = analysis.analyzeCompletion(rest);
      String source = info.completeness().isComplete() ? info.source() : rest;
      send("{\"op\":\"line\",\"line\":" + line + "}");
      evaluating = true;
      List<SnippetEvent> outcome;
      try {
        outcome = shell.eval(source);
      } finally {
        evaluating = false;
      }
      for (SnippetEvent event : outcome) {
        if (event.causeSnippet() != null) continue;
        Snippet snippet = event.snippet();
        places.put(snippet.id(), new Object[] {name, line});
        if (!accept(event, source, name, line)) return false;
        last = snippet;
        if (!(snippet instanceof DeclarationSnippet) || snippet instanceof VarSnippet) onlyDeclarations &= snippet instanceof ImportSnippet;
        boolean end = !info.completeness().isComplete() || info.remaining().isBlank();
        if (end && shown.contains(snippet.subKind())) show(event.value());
      }
      if (!info.completeness().isComplete()) break;
      line += lines(rest.substring(0, rest.length() - info.remaining().length()));
      rest = info.remaining();
    }
    if (onlyDeclarations && !stopped) return runMain(code, name);
    return true;
  }

  /** A whole program is a class with a main method: that is called. */
  static boolean runMain(String code, String name) throws Exception {
    if (!Pattern.compile("\\bstatic\\s+void\\s+main\\s*\\(\\s*(final\\s+)?String").matcher(code).find()) return true;
    Matcher found = Pattern.compile("^[ \\t]*(?:(?:public|final|abstract|static)\\s+)*(?:class|record|enum|interface)\\s+(\\w+)", Pattern.MULTILINE).matcher(code);
    Matcher main = Pattern.compile("\\bstatic\\s+void\\s+main\\b").matcher(code);
    main.find();
    String owner = null;
    while (found.find()) if (found.start() < main.start()) owner = found.group(1);
    String call = (owner == null ? "" : owner + ".") + "main(new String[0]);";
    evaluating = true;
    try {
      for (SnippetEvent event : shell.eval(call)) if (event.causeSnippet() == null && !accept(event, call, name, 1)) return false;
    } finally {
      evaluating = false;
    }
    return true;
  }

  /** False when the snippet was refused or failed, which has been told then. */
  static boolean accept(SnippetEvent event, String source, String name, int line) throws Exception {
    if (stopped) return false;
    if (event.status() == Snippet.Status.REJECTED) {
      StringBuilder text = new StringBuilder();
      String first = null;
      for (Diag problem : (Iterable<Diag>) shell.diagnostics(event.snippet())::iterator) {
        if (!problem.isError()) continue;
        String message = problem.getMessage(Locale.ROOT);
        if (first == null) first = message.split("\n")[0];
        int at = (int) Math.min(Math.max(problem.getStartPosition(), 0), source.length());
        int begin = source.lastIndexOf('\n', Math.max(at - 1, 0)) + 1;
        if (at < begin) begin = at;
        int finish = source.indexOf('\n', at);
        text.append(name).append(':').append(line + lines(source.substring(0, at))).append(": error: ").append(message).append('\n');
        text.append(source, begin, finish < 0 ? source.length() : finish).append('\n').append(" ".repeat(at - begin)).append("^\n");
      }
      error("CompileError", first == null ? "this is not Java" : first, text.length() == 0 ? name + ": this is not Java\n" : text.toString());
      return false;
    }
    if (event.snippet() instanceof DeclarationSnippet && event.status() == Snippet.Status.RECOVERABLE_NOT_DEFINED) {
      StringJoiner missing = new StringJoiner(", ");
      shell.unresolvedDependencies((DeclarationSnippet) event.snippet()).forEach(missing::add);
      error("CompileError", "not defined: " + missing, name + ":" + line + ": error: this needs what is not defined yet: " + missing + "\n");
      return false;
    }
    if (event.exception() instanceof EvalException) {
      EvalException thrown = (EvalException) event.exception();
      StringBuilder text = new StringBuilder();
      for (Throwable at = thrown; at != null; at = at.getCause()) {
        String kind = at instanceof EvalException ? ((EvalException) at).getExceptionClassName() : at.getClass().getName();
        text.append(at == thrown ? "" : "Caused by: ").append(kind).append(at.getMessage() == null ? "" : ": " + at.getMessage()).append('\n');
        int frames = 0;
        for (StackTraceElement frame : at.getStackTrace()) if (frames++ < 30) text.append(described(frame));
        if (frames > 30) text.append("\t… ").append(frames - 30).append(" more\n");
      }
      error(thrown.getExceptionClassName().replaceAll(".*\\.", ""), String.valueOf(thrown.getMessage()), text.toString());
      return false;
    }
    if (event.exception() != null) {
      error("UnresolvedReference", String.valueOf(event.exception().getMessage()), event.exception() + "\n");
      return false;
    }
    return true;
  }

  static String described(StackTraceElement frame) {
    String file = String.valueOf(frame.getFileName());
    Object[] place = file.startsWith("#") ? places.get(file.substring(1)) : null;
    if (frame.getClassName().matches("(jdk\\.(jshell|internal)\\.|OpenInterpreterDriver).*")) return "";
    if (place == null) return "\tat " + frame.toString().replace("REPL.", "") + "\n";
    String owner = frame.getClassName().isEmpty() ? "" : frame.getClassName() + ".";
    String method = frame.getMethodName().isEmpty() ? "" : owner + frame.getMethodName();
    return "\tat " + method + "(" + place[0] + ":" + ((int) place[1] + Math.max(frame.getLineNumber() - 1, 0)) + ")\n";
  }

  static void show(String value) throws IOException {
    if (value == null || value.isEmpty() || value.equals("null")) return;
    if (value.length() > 1_000_000) value = value.substring(0, 500_000) + "\n…\n" + value.substring(value.length() - 500_000);
    place("\"op\":\"display\",\"bundle\":{\"text/plain\":" + json(value) + "}");
  }

  static void error(String name, String message, String text) throws IOException {
    place("\"op\":\"error\",\"name\":" + json(name) + ",\"message\":" + json(message) + ",\"traceback\":" + json(text));
  }

  static int lines(String text) {
    return (int) text.chars().filter(each -> each == '\n').count();
  }

  /** Sends an event that keeps its place between what was printed before and after it. */
  static synchronized void place(String fields) throws IOException {
    System.out.flush();
    System.err.flush();
    marks++;
    for (FileOutputStream stream : streams) stream.write(("\u001e" + nonce + ":" + marks + "\u001e").getBytes(StandardCharsets.US_ASCII));
    send("{" + fields + ",\"mark\":" + marks + "}");
  }

  static synchronized void send(String text) throws IOException {
    events.write(("\n" + text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static String json(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each < ' ' || each == '"' || each == '\\') out.append(String.format("\\u%04x", (int) each));
      else out.append(each);
    }
    return out.append('"').toString();
  }

  static String readLine() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = commands.read(); next != '\n'; next = commands.read()) {
      if (next < 0) return null;
      line.write(next);
    }
    return line.toString("UTF-8");
  }

  static String read(int bytes) throws IOException {
    return new String(commands.readNBytes(bytes), StandardCharsets.UTF_8);
  }

  /** System.in: every line read from it is asked of the person. */
  static class AskingInput extends InputStream {
    byte[] line = {};
    int at;

    @Override
    public int read() throws IOException {
      if (at >= line.length) ask();
      return line[at++] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
      if (count == 0) return 0;
      if (at >= line.length) ask();
      int given = Math.min(count, line.length - at);
      System.arraycopy(line, at, into, from, given);
      at += given;
      return given;
    }

    @Override
    public int available() {
      return line.length - at;
    }

    void ask() throws IOException {
      String number = String.valueOf(++asked);
      place("\"op\":\"ask\",\"id\":" + number + ",\"prompt\":\"\",\"hidden\":false");
      for (String text = readLine(); text != null; text = readLine()) {
        String[] word = text.split(" ");
        if (!word[0].equals("answer")) continue;
        String answer = word[2].equals("-") ? null : OpenInterpreterDriver.read(Integer.parseInt(word[2]));
        if (!word[1].equals(number)) continue;
        // A Scanner would keep an IOException to itself.
        if (answer == null) throw new UncheckedIOException(new EOFException(NOBODY));
        line = (answer + "\n").getBytes(StandardCharsets.UTF_8);
        at = 0;
        return;
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
