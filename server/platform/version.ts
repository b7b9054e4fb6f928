import { readFileSync } from 'node:fs'

const packageFile = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
const { name, version } = JSON.parse(packageFile) as { name: string; version: string }

/** The version of this program. */
export const programVersion = version

/** The commands of this program, as people type them: from its sources, or from the package `patio-server`. */
export const commandLine =
  name === 'patio-server'
    ? { program: 'patio', start: 'patio up', demoReceiver: 'patio-demo-receiver' }
    : {
        program: 'node server/main.mjs',
        start: 'npm start',
        demoReceiver: 'node_modules/.bin/node tools/demo-receiver.ts',
      }
