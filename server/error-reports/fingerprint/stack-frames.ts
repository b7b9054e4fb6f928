export type StackFrame = { file: string; function: string }

const maxLines = 60
const maxLineLength = 400

/**
 * The innermost stack frame of the application itself, skipping frames of the runtime and of libraries. Reads the stack
 * formats of V8, Python (innermost frame last), PHP, Java and .NET.
 */
export function findApplicationFrame(stack: string): StackFrame | undefined {
  const isPython = /^Traceback|^\s*File "/m.test(stack.slice(0, 2_000))
  const lines = stack.split('\n')
  const nearest = isPython ? lines.slice(-maxLines).reverse() : lines.slice(0, maxLines)
  for (const line of nearest) {
    const frame = parseFrame(line.slice(0, maxLineLength).trim())
    if (frame && isApplicationFrame(frame)) return frame
  }
  return undefined
}

function parseFrame(line: string): StackFrame | undefined {
  if (line.startsWith('at ')) return parseAtFrame(line.slice(3))
  if (line.startsWith('File "')) return parsePythonFrame(line)
  return /^#\d+ /.test(line) ? parsePhpFrame(line.slice(line.indexOf(' ') + 1)) : undefined
}

/** `fn (file:1:2)` and `file:1:2` of V8, `a.B.c(B.java:1)` of Java, `A.B.C(args) in file:line 1` of .NET. */
function parseAtFrame(frame: string): StackFrame | undefined {
  const line = frame.lastIndexOf(':line ')
  const inside = frame.indexOf(') in ')
  if (line !== -1 && inside !== -1 && inside < line)
    return { file: frame.slice(inside + 5, line), function: frame.slice(0, frame.indexOf('(')) }
  if (!frame.endsWith(')')) return { file: withoutLine(frame.replace(/^async /, '')), function: '' }
  const v8 = frame.lastIndexOf(' (')
  if (v8 !== -1) return { file: withoutLine(frame.slice(v8 + 2, -1)), function: frame.slice(0, v8) }
  const java = frame.lastIndexOf('(')
  if (java === -1) return undefined
  return { file: withoutLine(frame.slice(java + 1, -1)), function: frame.slice(0, java) }
}

function parsePythonFrame(line: string): StackFrame | undefined {
  const end = line.indexOf('"', 6)
  if (end === -1) return undefined
  const name = line.indexOf(', in ', end)
  return { file: line.slice(6, end), function: name === -1 ? '' : line.slice(name + 5) }
}

/** `/path/file.php(12): Class->method()`. */
function parsePhpFrame(frame: string): StackFrame | undefined {
  const colon = frame.indexOf('): ')
  const open = colon === -1 ? -1 : frame.lastIndexOf('(', colon)
  if (open === -1) return undefined
  const call = frame.slice(colon + 3)
  const end = call.indexOf('(')
  return { file: frame.slice(0, open), function: end === -1 ? call : call.slice(0, end) }
}

function withoutLine(file: string): string {
  return file.replace(/(?::\d{1,9}){1,2}$/, '')
}

const libraryFile =
  /^node:|^internal\/|(?:^|[\\/])node_modules[\\/]|(?:^|[\\/])vendor[\\/]|(?:site|dist)-packages|[\\/]lib[\\/]python\d|^<|^native$|^native code$|^Native Method$|^Unknown Source$/
const libraryFunction =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|org\.(?:springframework|apache|hibernate|junit)|System|Microsoft)\./

function isApplicationFrame({ file, function: name }: StackFrame): boolean {
  return file !== '' && !libraryFile.test(file) && !libraryFunction.test(name)
}
