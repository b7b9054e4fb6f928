import { get, type IncomingMessage } from 'node:http'
import { createStreamToken } from '#contract/identity/sessions.ts'
import type { Client } from '#sdk/client.ts'
import { until } from '#tests/support/processes.ts'

/** An open catalogue stream, byte for byte. */
export type OpenStream = {
  text(): string
  /** Resolves when the text contains it. */
  shows(what: string, withinMs?: number): Promise<number>
  /** How it ended: with the last chunk, or cut off. Undefined while it is open. */
  ended(): 'complete' | 'cut' | undefined
  close(): void
}

/** Opens the catalogue stream of a person at one server. */
export async function openStream(url: string, client: Client): Promise<OpenStream> {
  const { token } = await client.call(createStreamToken)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = get(`${url}/api/studio/events?token=${token}`, { agent: false }, resolve).on(
    'error',
    reject,
  )
  const response = await promise
  if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`)
  let text = ''
  let end: 'complete' | 'cut' | undefined
  response.setEncoding('utf8')
  response.on('data', piece => {
    text += piece
  })
  response.on('error', () => {})
  response.on('close', () => {
    end = response.complete ? 'complete' : 'cut'
  })
  return {
    text: () => text,
    shows: (what, withinMs) => until(`the stream shows ${what}`, () => text.includes(what), withinMs),
    ended: () => end,
    close: () => request.destroy(),
  }
}
