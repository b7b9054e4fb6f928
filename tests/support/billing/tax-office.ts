import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { defined, only } from '../elements.ts'
import {
  authority,
  clientCertificate,
  clientPassphrase,
  serverCertificate,
  serverKey,
} from './tax-office-certificates.ts'
import { find, findAll, readXml, shapeFaults, textOf, type XmlElement } from './tax-record-shape.ts'

const schemas =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws'

/** How the office answers a record; by default with Correcto. */
export type Verdict = {
  state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'
  code?: string
  text?: string
  /** The state of the record that it already has. */
  duplicate?: 'Correcta' | 'AceptadaConErrores' | 'Anulada'
}
/** A message that the office received. */
export type ReceivedMessage = {
  at: number
  references: string[]
  isLate: boolean
  client: string | undefined
}

/**
 * A double of the tax office's service on localhost. It accepts only clients with a certificate of its authority, and
 * answers a message that differs from the schemas with a SOAP fault.
 */
export type TestTaxOffice = {
  options: { url: string; certificate: Buffer; passphrase: string; ca: string; timeoutMs: number }
  readonly received: readonly ReceivedMessage[]
  /** The seconds to wait in its answers. */
  waitSeconds: number
  /** Decides about a record by its reference; undefined omits it from the answer. */
  verdict: (reference: string) => Verdict | undefined
  /** Runs before the next answer; when it returns a text, that is the whole answer with the status 500. */
  interfere: (() => Promise<string | undefined> | string | undefined) | undefined
  close(): Promise<void>
}

export async function openTestTaxOffice(): Promise<TestTaxOffice> {
  const received: ReceivedMessage[] = []
  const server = createServer(
    { cert: serverCertificate, key: serverKey, ca: authority, requestCert: true, rejectUnauthorized: true },
    async (request, response) => {
      const answer = (status: number, body: string) =>
        response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body)
      const message = only(defined(find(readXml((await buffer(request)).toString()), 'Body')).children)
      const faults = shapeFaults(message)
      if (faults.length > 0) return answer(200, fault(`Codigo[4102].${faults.join('; ')}`))
      const client = (request.socket as TLSSocket).getPeerCertificate().subject.CN
      received.push({
        at: Date.now(),
        references: findAll(message, 'RefExterna').map(({ text }) => text),
        isLate: textOf(message, 'Incidencia') === 'S',
        client: String(client),
      })
      const { interfere } = office
      office.interfere = undefined
      const disturbance = await interfere?.()
      return disturbance === undefined ? answer(200, reply(message, office)) : answer(500, disturbance)
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const office: TestTaxOffice = {
    options: {
      url: `https://localhost:${port}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`,
      certificate: clientCertificate,
      passphrase: clientPassphrase,
      ca: authority,
      timeoutMs: 20_000,
    },
    received,
    waitSeconds: 60,
    verdict: () => ({ state: 'Correcto' }),
    interfere: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return office
}

function envelope(body: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/">' +
    `<env:Header/><env:Body>${body}</env:Body></env:Envelope>`
  )
}

function fault(text: string): string {
  return envelope(
    `<env:Fault><faultcode>env:Client</faultcode><faultstring>${text}</faultstring></env:Fault>`,
  )
}

function reply(message: XmlElement, { waitSeconds, verdict }: TestTaxOffice): string {
  const lines = findAll(message, 'RegistroFactura').map(record => {
    const reference = defined(textOf(record, 'RefExterna'))
    const judged = verdict(reference)
    if (!judged) return ''
    const { state, code, text, duplicate } = judged
    return (
      '<tikR:RespuestaLinea>' +
      `<tikR:IDFactura><tik:IDEmisorFactura>B76543214</tik:IDEmisorFactura></tikR:IDFactura>` +
      `<tikR:RefExterna>${reference}</tikR:RefExterna><tikR:EstadoRegistro>${state}</tikR:EstadoRegistro>` +
      (code ? `<tikR:CodigoErrorRegistro>${code}</tikR:CodigoErrorRegistro>` : '') +
      (text ? `<tikR:DescripcionErrorRegistro>${text}</tikR:DescripcionErrorRegistro>` : '') +
      (duplicate
        ? `<tikR:RegistroDuplicado><tik:EstadoRegistroDuplicado>${duplicate}</tik:EstadoRegistroDuplicado></tikR:RegistroDuplicado>`
        : '') +
      '</tikR:RespuestaLinea>'
    )
  })
  return envelope(
    `<tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="${schemas}/RespuestaSuministro.xsd" xmlns:tik="${schemas}/SuministroInformacion.xsd">` +
      `<tikR:CSV>A-TEST-CSV</tikR:CSV><tikR:TiempoEsperaEnvio>${waitSeconds}</tikR:TiempoEsperaEnvio>` +
      `<tikR:EstadoEnvio>Correcto</tikR:EstadoEnvio>${lines.join('')}` +
      '</tikR:RespuestaRegFactuSistemaFacturacion>',
  )
}
