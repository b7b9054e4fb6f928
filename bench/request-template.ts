import { wordsOf } from './names.ts'

/**
 * A request that is repeated. In `path` and `body`, `{id}` is the next of `ids`, `{lap}` the next of `laps`
 * after each round through the ids, and `{name}` an unused name.
 */
export type CliOptions = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: string
  ids?: string[]
  laps?: string[]
  /** Session tokens; each request takes the next. */
  tokens: string[]
  /** More header lines, each with its line end. */
  headers?: string
  status: number
}

/**
 * The text of the `n`-th request. Cut at its placeholders once, so that each text is a few joined strings.
 */
export function requestWriter({
  method,
  path,
  body,
  ids = [],
  laps = [],
  tokens,
  headers = '',
}: CliOptions): (n: number) => string {
  const holes = /(\{id\}|\{lap\}|\{name\})/
  const pathPieces = path.split(holes)
  const bodyPieces = body?.split(holes)
  const heads = tokens.map(
    token => ` HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${headers}`,
  )

  function filled(pieces: string[], n: number): string {
    let text = ''
    for (const piece of pieces) {
      if (piece === '{id}') text += ids[n % ids.length]
      else if (piece === '{lap}') text += laps[Math.floor(n / ids.length) % laps.length]
      else if (piece === '{name}') text += wordsOf(n).join(' ')
      else text += piece
    }
    return text
  }
  return n => {
    const head = `${method} ${filled(pathPieces, n)}${heads[n % heads.length]}`
    if (!bodyPieces) return method === 'GET' ? `${head}\r\n` : `${head}Content-Length: 0\r\n\r\n`
    const text = filled(bodyPieces, n)
    return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  }
}
