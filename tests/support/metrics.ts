import { allCaptured, firstOf } from './elements.ts'
import { until } from './processes.ts'
import type { TestServer } from './test-server.ts'

/** The addresses of the metrics of all workers that wrote to this log, in the order of their start. */
export function metricsUrls(log: string): string[] {
  return allCaptured(/"url":"([^"]+\/metrics)","msg":"metrics"/g, log)
}

/** The metrics of the first worker of a test server, once it holds the lease of the relay. */
export async function totalsUrl(server: Pick<TestServer, 'logged'>): Promise<string> {
  await until('the worker shows the totals', async () => {
    const [url] = metricsUrls(server.logged())
    return url !== undefined && /^patio_outbox_rows /m.test(await textOf(url))
  })
  return firstOf(metricsUrls(server.logged()))
}

export async function textOf(url: string): Promise<string> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return response.text()
}

/** Every sample of `/metrics`: `name{label="value"}` → value. */
export function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}
