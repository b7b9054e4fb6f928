import { type Config, ConfigError } from './config.ts'
import { freePort, tryToListen } from './platform/ports.ts'

type Address = Pick<Config, 'host' | 'port' | 'publicUrl'>

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'is not allowed for this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
}

/**
 * Checks that the address is free before anything is created. With PORT=0 it chooses a free port, so that
 * links are right and a restarted process keeps its port.
 */
export async function chooseAddress<Input extends Address>(config: Input): Promise<Input> {
  const { host, publicUrl } = config
  try {
    if (config.port !== 0) {
      await tryToListen(host, config.port)
      return config
    }
    const port = await freePort(host)
    return { ...config, port, publicUrl: publicUrl.replace(/:0$/, `:${port}`) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `${host}:${config.port} ${reasons[code ?? ''] ?? message}. Set PORT or HOST to another.`,
    )
  }
}
