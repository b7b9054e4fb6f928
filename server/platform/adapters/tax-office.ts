import { Agent, request } from 'undici'

/** The connection to the service of the tax office. */
export type TaxOfficeOptions = {
  url: string
  /** PKCS #12, opened with the passphrase. */
  certificate: Buffer
  passphrase: string
  /** Trusted instead of the usual authorities; for tests. */
  ca?: string
  timeoutMs?: number
}
export type TaxOffice = {
  /**
   * Posts a SOAP message and returns the body of the answer, also of one with another status than 200. Rejects when there
   * is no answer in time, or when it is too large.
   */
  post(message: string): Promise<{ status: number; body: string }>
  close(): Promise<void>
}

/** The service may take long for a thousand records. */
const defaultTimeoutMs = 60_000
/** A thousand answered records have some 800 bytes each. */
const mostBytes = 8 * 1_048_576

/** Opens the service with a client certificate. */
export function openTaxOffice({
  url,
  certificate,
  passphrase,
  ca,
  timeoutMs = defaultTimeoutMs,
}: TaxOfficeOptions): TaxOffice {
  const agent = new Agent({
    connections: 4,
    // no connection is kept: the next message is a minute away, and the office may be closing an idle one
    pipelining: 0,
    connect: { pfx: certificate, passphrase, timeout: timeoutMs, ...(ca !== undefined && { ca }) },
  })
  return {
    async post(message) {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' },
        body: message,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > mostBytes) throw new Error('The answer of the tax office is too large')
        chunks.push(chunk)
      }
      return { status: statusCode, body: Buffer.concat(chunks).toString('utf8') }
    },
    close: () => agent.close(),
  }
}
