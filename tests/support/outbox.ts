import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestServer } from './test-server.ts'

/** The texts of the mails that a test server sent to an address, oldest first, without soft line breaks. */
export function mailsTo(server: TestServer, address: string): string[] {
  const folder = join(server.config.dataDir, 'mail')
  return readdirSync(folder)
    .filter(name => name.endsWith('.eml'))
    .sort()
    .map(name => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
    .filter(text => text.includes(`\r\nTo: ${address}\r\n`))
}

/** The secret in the link of the latest invitation to an address. */
export function invitationSecret(server: TestServer, address: string): string {
  const secret = /accept-invitation#secret=([\w-]{27})\s/.exec(mailsTo(server, address).at(-1) ?? '')?.[1]
  if (!secret) throw new Error(`No invitation to ${address}`)
  return secret
}
