import { readFileSync } from 'node:fs'

const packageFile = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

/** The version of this program. */
export const { version: programVersion } = JSON.parse(packageFile) as { version: string }
