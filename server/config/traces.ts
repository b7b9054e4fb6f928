import type { TraceTarget } from '../platform/adapters/trace-export.ts'
import { ConfigError, isLoopback } from './values.ts'

/**
 * Reads the settings of traces, with the names and forms of OpenTelemetry; undefined without an endpoint. Messages never
 * repeat the headers, because they contain a secret.
 */
export function readTraces(env: NodeJS.ProcessEnv): { traces: TraceTarget | undefined } {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  const ratio = readRatio(env.OTEL_TRACES_SAMPLER_ARG?.trim())
  const headers = readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS?.trim())
  if (!endpoint) return { traces: undefined }
  const url = URL.parse(endpoint)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isSafe || url.username || url.password || url.search || url.hash)
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an https address, or http on this machine, such as http://localhost:4318.',
    )
  return { traces: { url: `${url.href.replace(/\/$/, '')}/v1/traces`, headers, ratio } }
}

function readRatio(text: string | undefined): number {
  if (!text) return 1
  const ratio = Number(text)
  if (Number.isFinite(ratio) && ratio >= 0 && ratio <= 1) return ratio
  throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG=${text} must be a number from 0 to 1.`)
}

/** `name=value` pairs, comma separated, the values percent-encoded. */
function readHeaders(text: string | undefined): Record<string, string> {
  if (!text) return {}
  try {
    return Object.fromEntries(
      text.split(',').map(pair => {
        const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? []
        if (name === undefined || value === undefined) throw new Error(`no pair: ${pair}`)
        return [name, readHeaderValue(value)]
      }),
    )
  } catch {
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be like name=value,other=value.')
  }
}

function readHeaderValue(text: string): string {
  const value = decodeURIComponent(text.trim())
  if (!/^[\x20-\x7e]*$/.test(value)) throw new Error('A header has visible characters only')
  return value
}
