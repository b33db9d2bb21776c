# Runs blocks of Ruby in one long-lived process and tells the host what happens.
#
# Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. An event
# that must keep its place in the output carries a mark, and the same mark is written to stdout and stderr first.

module OpenInterpreterDriver
  NOBODY = "input was asked for, but nobody is here to answer. Put the value into the code instead."
  QUIET = %i[LASGN DASGN DASGN_CURR IASGN GASGN CVASGN CVDECL CDECL MASGN OP_ASGN1 OP_ASGN2 OP_ASGN_AND OP_ASGN_OR OP_CDECL
             DEFN DEFS CLASS MODULE SCLASS].freeze

  class << self
    def main
      @commands = IO.for_fd(3, "rb", autoclose: false)
      @events = IO.for_fd(4, "wb", autoclose: false)
      @streams = [$stdout.dup, $stderr.dup] # a block may close or redirect its own
      [@commands, @events, *@streams].each { |io| io.close_on_exec = true }
      [@events, *@streams, $stdout, $stderr].each { |io| io.sync = true }
      Encoding.default_external = Encoding::UTF_8 if Encoding.default_external == Encoding::US_ASCII
      @pid = $$
      @lock = Monitor.new
      @marks = @asked = 0
      $stdin = AskingInput.new
      $0 = "ruby"
      ARGV.clear
      # Raised in the main thread, as Ruby does it by itself, but only while a block runs.
      trap("INT") { @telling ? @stopped = true : raise(Interrupt) if @running }
      Thread.new { watch }
      serve
    end

    def serve
      while (line = @commands.gets)
        op, first, bytes, name = line.chomp.split(" ", 4)
        if op == "nonce"
          @nonce = first
          send_event(%({"op":"ready","version":"#{RUBY_VERSION}"}))
        elsif op == "run"
          run(first.to_i, @commands.read(bytes.to_i).force_encoding(Encoding::UTF_8), name)
        end
      end
      exit!(0)
    end

    def run(id, code, name)
      status = "ok"
      begin
        begin
          @running = name
          @line = 0
          value = TOPLEVEL_BINDING.eval(code, name, 1)
          exit!(0) if $$ != @pid # a child that a block forked
          shown = text_of(value) unless value.nil? || quiet?(code)
        ensure
          @running = nil
        end
        place(%("op":"display","bundle":{"text/plain":#{json(shown)}})) if shown
      rescue SystemExit
        raise # Ruby leaves with the status that was asked for, after its at_exit blocks
      rescue Exception => error
        status = error.is_a?(Interrupt) ? "interrupted" : "error"
        report(error)
      end
      place(%("op":"end","id":#{id},"status":"#{status}"))
    end

    # A definition or an assignment has a value too, but nobody asked for it.
    def quiet?(code)
      body = RubyVM::AbstractSyntaxTree.parse(code).children.last
      body = body.children.last while body.respond_to?(:type) && body.type == :BLOCK
      return true if QUIET.include?(body.type)
      body.type == :FCALL && %i[require require_relative load include attr_accessor].include?(body.children.first)
    rescue Exception
      false
    end

    def text_of(value)
      text = value.inspect
      return text if text.length <= 1_000_000
      "#{text[0, 500_000]}\n… #{text.length - 1_000_000} characters left out …\n#{text[-500_000..]}"
    end

    def report(error)
      ours = __FILE__
      chain = []
      cause = error
      while cause && !chain.include?(cause)
        chain << cause
        trace = cause.backtrace&.reject { |line| line.start_with?(ours) || line.include?("OpenInterpreterDriver") }
        cause.set_backtrace(trace) if trace
        cause = cause.cause
      end
      text = error.full_message(highlight: false, order: :top)
      text = text.sub(/\A#{Regexp.escape(ours)}:(\d+:in `[^']*': )?/, "")
      text += "\n" unless text.end_with?("\n")
      message = error.message.to_s rescue ""
      place(%("op":"error","name":#{json(error.class.name.to_s)},"message":#{json(message)},"traceback":#{json(text)}))
    end

    def ask(prompt, hidden)
      raise EOFError, "a child process cannot ask for input" if $$ != @pid
      id = @asked += 1
      place(%("op":"ask","id":#{id},"prompt":#{json(prompt)},"hidden":#{hidden}))
      while (line = @commands.gets)
        op, number, bytes = line.split(" ")
        next unless op == "answer"
        text = bytes == "-" ? nil : @commands.read(bytes.to_i).force_encoding(Encoding::UTF_8)
        next if number.to_i != id # of a question that was interrupted
        return text || raise(EOFError, NOBODY)
      end
      exit!(0)
    end

    # Says which line runs, a few times a second. Costs a loop nothing.
    def watch
      loop do
        sleep(@running ? 0.03 : 0.1)
        next unless (name = @running)
        place = Thread.main.backtrace_locations&.reverse&.find { |at| at.path == name && at.label !~ / in / }
        next if place.nil? || place.lineno == @line || name != @running
        @line = place.lineno
        send_event(%({"op":"line","line":#{@line}}))
      end
    end

    # Sends an event that keeps its place between what was printed before and after it.
    def place(fields)
      return if $$ != @pid
      @lock.synchronize do
        @telling = true # an interrupt waits until all of it is written
        [$stdout, $stderr].each { |io| io.flush rescue nil }
        @marks += 1
        @streams.each { |io| io.write("\x1e#{@nonce}:#{@marks}\x1e") }
        send_event(%({#{fields},"mark":#{@marks}}))
        @telling = false
      end
      return unless @stopped
      @stopped = false
      raise Interrupt if @running
    end

    def send_event(text)
      @lock.synchronize { @events.write("\n#{text}\n") }
    end

    def json(text)
      text = text.dup.force_encoding(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8
      escaped = text.scrub.gsub(/["\\\x00-\x1f]/) { |char| format("\\u%04x", char.ord) }
      %("#{escaped}")
    end
  end

  # $stdin: every line read from it is asked of the person.
  class AskingInput
    def gets(*) = "#{OpenInterpreterDriver.ask("", false)}\n"
    def readline(*) = gets
    def read(*) = gets
    def getpass(prompt = "Password: ") = OpenInterpreterDriver.ask(prompt, true)
    def noecho = yield(HiddenInput.new)
    def tty? = false
    def fileno = 0
    def external_encoding = Encoding::UTF_8
    alias isatty tty?

    def each_line
      loop { yield gets }
    end
  end

  class HiddenInput < AskingInput
    def gets(*) = "#{OpenInterpreterDriver.ask("", true)}\n"
  end
end

require "monitor"
OpenInterpreterDriver.main
