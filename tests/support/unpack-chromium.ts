import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'

// A program: unpacks the browser of the npm package into the temporary folder of this process (TMPDIR), with
// the libraries that the package otherwise unpacks only on the machines of one provider.
await chromium.executablePath()
await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))))
