import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** An S3 server as a separate process, with one bucket, `patio`. */
export type S3Server = { readonly url: string; stop(): Promise<void> }

/** The options that open that server. */
export const s3Keys = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const

/** Starts one on a folder; with the port of an earlier one it is the same server again. */
export async function startS3(folder: string, port = 0): Promise<S3Server> {
  const program = join(import.meta.dirname, 's3-server.ts')
  // its pages of a list have positions encrypted with DES
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program, folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', piece => {
    output += piece
    const [, port] = /^(\d+)\n/.exec(output) ?? []
    if (port) resolve(`http://127.0.0.1:${port}`)
  })
  child.once('exit', () => reject(new Error(`The S3 server ended: ${output}`)))
  return {
    url: await listening,
    async stop() {
      process.off('exit', end)
      end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
