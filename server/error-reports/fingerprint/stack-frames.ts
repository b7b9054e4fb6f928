/** Where an error came from, as a stack tells it. */
export type Place = { file: string; function: string }

const lookedAt = 60
const lineLength = 400

/**
 * The nearest place in a stack that is the application's own: not the runtime, not a library. Reads the shapes of V8,
 * Python (where the last one is the nearest), PHP, Java and .NET.
 */
export function placeIn(stack: string): Place | undefined {
  const isPython = /^Traceback|^\s*File "/m.test(stack.slice(0, 2_000))
  const lines = stack.split('\n')
  const near = isPython ? lines.slice(-lookedAt).reverse() : lines.slice(0, lookedAt)
  for (const line of near) {
    const place = frameOf(line.slice(0, lineLength).trim())
    if (place && isOwn(place)) return place
  }
  return undefined
}

function frameOf(line: string): Place | undefined {
  if (line.startsWith('at ')) return ofAt(line.slice(3))
  if (line.startsWith('File "')) return ofPython(line)
  return /^#\d+ /.test(line) ? ofPhp(line.slice(line.indexOf(' ') + 1)) : undefined
}

/** `fn (file:1:2)` and `file:1:2` of V8, `a.B.c(B.java:1)` of Java, `A.B.C(args) in file:line 1` of .NET. */
function ofAt(frame: string): Place | undefined {
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

function ofPython(line: string): Place | undefined {
  const end = line.indexOf('"', 6)
  if (end === -1) return undefined
  const name = line.indexOf(', in ', end)
  return { file: line.slice(6, end), function: name === -1 ? '' : line.slice(name + 5) }
}

/** `/path/file.php(12): Class->method()`. */
function ofPhp(frame: string): Place | undefined {
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

const foreign =
  /^node:|^internal\/|(?:^|[\\/])node_modules[\\/]|(?:^|[\\/])vendor[\\/]|(?:site|dist)-packages|[\\/]lib[\\/]python\d|^<|^native$|^native code$|^Native Method$|^Unknown Source$/
const foreignCalls =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|org\.(?:springframework|apache|hibernate|junit)|System|Microsoft)\./

function isOwn({ file, function: name }: Place): boolean {
  return file !== '' && !foreign.test(file) && !foreignCalls.test(name)
}
