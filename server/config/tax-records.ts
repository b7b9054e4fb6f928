import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ConfigError } from './values.ts'

/** Settings of tax records. Without `office`, records are written and not sent. */
export type TaxRecordConfig = {
  producerName: string
  producerNif: string
  office?: { url: string; certificate: Buffer; passphrase: string; ca?: string }
}
type TaxRecordSettings = Record<
  'producerName' | 'producerNif' | 'url' | 'certificate' | 'passphrase',
  string | undefined
>

export function readTaxRecords(settings: TaxRecordSettings): { taxRecords?: TaxRecordConfig } {
  const { producerName, producerNif, url, certificate, passphrase } = settings
  const isSending = url !== undefined || certificate !== undefined || passphrase !== undefined
  if (!producerName && !producerNif && !isSending) return {}
  if (!producerName || !producerNif)
    throw new ConfigError('Tax records need VERIFACTU_PRODUCER_NAME and VERIFACTU_PRODUCER_NIF.')
  if (!/^[A-Z0-9]{9}$/.test(producerNif))
    throw new ConfigError('VERIFACTU_PRODUCER_NIF must have 9 capital letters and digits.')
  if (!isSending) return { taxRecords: { producerName, producerNif } }
  if (!url || !certificate)
    throw new ConfigError('Sending tax records needs VERIFACTU_URL and VERIFACTU_CERTIFICATE.')
  if (URL.parse(url)?.protocol !== 'https:')
    throw new ConfigError(`VERIFACTU_URL=${url} must be an https address.`)
  const office = { url, certificate: readCertificate(certificate), passphrase: passphrase ?? '' }
  try {
    createSecureContext({ pfx: office.certificate, passphrase: office.passphrase })
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`VERIFACTU_CERTIFICATE cannot be opened with VERIFACTU_PASSPHRASE: ${message}`)
  }
  return { taxRecords: { producerName, producerNif, office } }
}

function readCertificate(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new ConfigError(`VERIFACTU_CERTIFICATE cannot be read: ${(error as Error).message}`)
  }
}
