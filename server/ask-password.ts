import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import { ConfigError } from './config.ts'

/**
 * A password for a command. A pipe gives it as its first line, whatever follows and whether or not the pipe stays open. At
 * a terminal it is asked for twice, because nothing shows what was typed. It is never an argument, which other users of the
 * machine could see. Throws a ConfigError when none is given or the two differ.
 */
export async function askPassword(
  input: Readable & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<string> {
  const password = input.isTTY ? await typedTwice(input, output) : await firstLine(input)
  if (password === '') throw new ConfigError('No password was given. Nothing was made.')
  return password
}

async function firstLine(input: Readable): Promise<string> {
  const lines = createInterface({ input })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    // a pipe that stays open would keep the process
    input.destroy()
  }
}

async function typedTwice(input: Readable, output: NodeJS.WritableStream): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: discard, terminal: true })
  const answers = lines[Symbol.asyncIterator]()
  async function prompt(question: string): Promise<string> {
    output.write(question)
    const { value, done } = await answers.next()
    output.write('\n')
    return done ? '' : value
  }
  try {
    const first = await prompt('Password (10 characters or more, not shown as you type): ')
    const second = first && (await prompt('The same again: '))
    if (first && second && first !== second)
      throw new ConfigError('The two passwords differ. Nothing was made.')
    return second
  } finally {
    lines.close()
  }
}
