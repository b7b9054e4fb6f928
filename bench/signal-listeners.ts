/** Processes that listen to signals, all in one: each has a connection of its own, to the database and to NATS. */
import { openListener } from '#platform/data/listener.ts'
import { openLog } from '#platform/log.ts'
import { answer } from './answers.ts'
import { openBenchNats } from './nats.ts'

export type Listening = { url: string; natsPort: number | undefined; channel: string; count: number }

const log = openLog('warn', 'bench')

answer({ listen })

async function listen({ url, natsPort, channel, count }: Listening): Promise<void> {
  for (let number = 0; number < count; number++) {
    const listener = openListener({ url, log, name: `patio bench ${number}` })
    await listener.connected
    await listener.listen(channel, () => {})
    const nats = natsPort === undefined ? undefined : await openBenchNats(natsPort)
    await nats?.listen(channel, () => {})
  }
}
