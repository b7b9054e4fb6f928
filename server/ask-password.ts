import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import { ConfigError } from './config.ts'

/**
 * Reads a password for a command. From a pipe it takes the first line, whether or not the pipe stays open. At
 * a terminal it asks twice, because the input is not shown. The password is never an argument, which other
 * users of the machine could see. Throws a ConfigError if there is no password or the two differ.
 */
export async function askPassword(
  input: Readable & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<string> {
  const password = input.isTTY ? await typedTwice(input, output) : await firstLine(input)
  if (password === '') throw new ConfigError('No password was entered. No account was created.')
  return password
}

async function firstLine(input: Readable): Promise<string> {
  const lines = createInterface({ input })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    // an open pipe would keep the process alive
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
    const second = first && (await prompt('Repeat the password: '))
    if (first && second && first !== second)
      throw new ConfigError('The two passwords differ. No account was created.')
    return second
  } finally {
    lines.close()
  }
}
