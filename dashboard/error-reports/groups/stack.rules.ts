/** A line of a stack: a frame of the application, of a library or the runtime, or a text between frames. */
export type StackLine = {
  kind: 'own' | 'library' | 'text'
  /** The function that ran: `Orders.pay`; the whole line for a text. */
  name: string
  /** Where: `src/orders.ts:42:7`. */
  place: string
  /** The source of the frame, where the language says it. */
  source?: string
}
export type Stack = {
  /** The lines before the first frame: the type and the message of the error. */
  head: string
  /** The call that failed first. */
  lines: readonly StackLine[]
}

const libraryFile =
  /^node:|^internal\/|(?:^|[\\/])node_modules[\\/]|(?:^|[\\/])vendor[\\/]|(?:site|dist)-packages|[\\/]lib[\\/]python\d|^<|^native$|^native code$|^Native Method$|^Unknown Source$|^\[internal function\]$/
const libraryName =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|org\.(?:springframework|apache|hibernate|junit)|System|Microsoft)\./

/**
 * Reads the stacks of V8, Python (which writes the last call last), PHP, Java and .NET. The frames of the application
 * are those that the server groups errors by (GRP-8).
 */
export function stackOf(stack: string): Stack {
  const texts = stack.split('\n').map(line => line.trimEnd())
  const lines: StackLine[] = []
  const head: string[] = []
  const isPython = texts.some(text => text.startsWith('Traceback') || /^\s*File "/.test(text))
  for (const text of texts) {
    const trimmed = text.trim()
    if (trimmed === '') continue
    const frame = frameOf(trimmed)
    const last = lines.at(-1)
    if (frame) lines.push(frame)
    else if (lines.length === 0) head.push(trimmed)
    else if (isPython && last && last.kind !== 'text' && last.source === undefined && text.startsWith('    '))
      last.source = trimmed
    else lines.push({ kind: 'text', name: trimmed, place: '' })
  }
  return { head: head.join('\n'), lines: isPython ? lines.toReversed() : lines }
}

function frameOf(line: string): StackLine | undefined {
  if (line.startsWith('at ')) return atFrameOf(line.slice(3))
  const python = /^File "([^"]+)", line (\d+)(?:, in (.+))?$/.exec(line)
  if (python) {
    const [, file = '', number, name = ''] = python
    return frame(name, `${file}:${number}`, file)
  }
  const php = /^#\d+ (.+?)(?:\((\d+)\))?: (.+)$/.exec(line)
  if (!php) return undefined
  const [, file = '', number, name = ''] = php
  return frame(name, number ? `${file}:${number}` : file, file)
}

/** `fn (file:1:2)` and `file:1:2` of V8, `a.B.c(B.java:1)` of Java, `A.B.C(args) in file:line 1` of .NET. */
function atFrameOf(text: string): StackLine {
  const net = text.indexOf(') in ')
  if (net !== -1) {
    const [file = '', line] = text.slice(net + 5).split(':line ')
    return frame(text.slice(0, net + 1), line ? `${file}:${line}` : file, file)
  }
  const open = text.lastIndexOf('(')
  if (!text.endsWith(')') || open === -1) {
    const place = text.replace(/^async /, '')
    return frame('', place, withoutLine(place))
  }
  const place = text.slice(open + 1, -1)
  return frame(text.slice(0, open).trim(), place, withoutLine(place))
}

function frame(name: string, place: string, file: string): StackLine {
  const isLibrary = libraryFile.test(file) || libraryName.test(name)
  return { kind: isLibrary ? 'library' : 'own', name, place }
}

function withoutLine(place: string): string {
  return place.replace(/(?::\d{1,9}){1,2}$/, '')
}
