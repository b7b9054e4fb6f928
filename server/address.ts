import { createServer } from 'node:net'
import { type Config, ConfigError } from './config.ts'

type Address = Pick<Config, 'host' | 'port' | 'publicUrl'>

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
}

/**
 * Sees before anything is made that this address can be listened on. With PORT=0 a free port is chosen here, so
 * that links are right and a process that is started again listens where it did.
 */
export async function chooseAddress<Given extends Address>(config: Given): Promise<Given> {
  const port = await tryToListen(config.host, config.port)
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}

function tryToListen(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? error.message
      reject(new ConfigError(`${host}:${port} ${reason}. Set PORT or HOST to another.`))
    })
    probe.listen(port, host, () => {
      const { port: chosen } = probe.address() as { port: number }
      probe.close(() => resolve(chosen))
    })
  })
}
