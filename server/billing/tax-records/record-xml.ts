import type { BreakdownLine } from './breakdown.ts'
import type { Cancellation, RecordRecipient, RecordSystem, Registration } from './record-content.ts'
import { amountText, dayText } from './record-hash.ts'
import type { TaxRecordRow } from './tax-record.row.ts'

const schemas =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws'
const namespaces = `xmlns:sfLR="${schemas}/SuministroLR.xsd" xmlns:sf="${schemas}/SuministroInformacion.xsd"`

/** The name of an element with its text or its children; null leaves it out. */
type Element = readonly [name: string, content: string | readonly (Element | null)[]]

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// XML 1.0 does not allow most of them
const forbidden = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

function xmlOf([name, content]: Element): string {
  const inner =
    typeof content === 'string'
      ? content.replace(forbidden, ' ').replace(/[&<>"]/g, character => escaped[character] ?? character)
      : content.map(child => (child === null ? '' : xmlOf(child))).join('')
  return `<${name}>${inner}</${name}>`
}

const when = <Value>(value: Value | null, element: (value: Value) => Element): Element | null =>
  value === null ? null : element(value)

/** The party of the header: the issuer of the records. `isLate` says that a failure delayed them. */
export type DocumentHeader = { issuerName: string; issuerNif: string; isLate?: boolean }

/**
 * The element RegFactuSistemaFacturacion with records of one issuer, in the order of the chain; at most
 * `limits.taxRecordsPerDocument`.
 */
export function recordsElement(header: DocumentHeader, records: readonly TaxRecordRow[]): string {
  const party = xmlOf([
    'sfLR:Cabecera',
    [
      [
        'sf:ObligadoEmision',
        [
          ['sf:NombreRazon', header.issuerName],
          ['sf:NIF', header.issuerNif],
        ],
      ],
      header.isLate ? ['sf:RemisionVoluntaria', [['sf:Incidencia', 'S']]] : null,
    ],
  ])
  const items = records.map(record => xmlOf(['sfLR:RegistroFactura', [recordElement(record)]]))
  return `<sfLR:RegFactuSistemaFacturacion ${namespaces}>${party}${items.join('')}</sfLR:RegFactuSistemaFacturacion>`
}

/** The same as a file. */
export function recordsFile(header: DocumentHeader, records: readonly TaxRecordRow[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${recordsElement(header, records)}\n`
}

function recordElement(record: TaxRecordRow): Element {
  return record.kind === 'REGISTRATION'
    ? ['sf:RegistroAlta', registrationChildren(record, record.content as Registration)]
    : ['sf:RegistroAnulacion', cancellationChildren(record, record.content as Cancellation)]
}

function registrationChildren(record: TaxRecordRow, content: Registration): (Element | null)[] {
  const isRectifying = content.type.startsWith('R')
  return [
    ['sf:IDVersion', '1.0'],
    ['sf:IDFactura', invoiceReference(record.issuer_nif, record.invoice_number, record.issue_date)],
    ['sf:RefExterna', externalReference(record)],
    ['sf:NombreRazonEmisor', content.issuerName],
    ['sf:TipoFactura', content.type],
    // amounts of a rectifying invoice are differences
    isRectifying ? ['sf:TipoRectificativa', 'I'] : null,
    when(content.rectifies, ({ issuerNif, number, issueDate }) => [
      'sf:FacturasRectificadas',
      [['sf:IDFacturaRectificada', invoiceReference(issuerNif, number, issueDate)]],
    ]),
    ['sf:DescripcionOperacion', content.description],
    content.recipient === null ? ['sf:FacturaSinIdentifDestinatarioArt61d', 'S'] : null,
    when(content.recipient, recipient => [
      'sf:Destinatarios',
      [['sf:IDDestinatario', recipientChildren(recipient)]],
    ]),
    ['sf:Desglose', content.lines.map(line => ['sf:DetalleDesglose', breakdownChildren(line)])],
    ['sf:CuotaTotal', amountText(content.taxCents)],
    ['sf:ImporteTotal', amountText(content.totalCents)],
    ...chainChildren(record, content.system),
  ]
}

function cancellationChildren(record: TaxRecordRow, content: Cancellation): (Element | null)[] {
  return [
    ['sf:IDVersion', '1.0'],
    [
      'sf:IDFactura',
      invoiceReference(record.issuer_nif, record.invoice_number, record.issue_date, 'Anulada'),
    ],
    ['sf:RefExterna', externalReference(record)],
    content.isWithoutRegistration ? ['sf:SinRegistroPrevio', 'S'] : null,
    ...chainChildren(record, content.system),
  ]
}

/** Identifies the record in the answer of the tax office. */
export function externalReference({
  issuer_nif,
  number,
}: Pick<TaxRecordRow, 'issuer_nif' | 'number'>): string {
  return `${issuer_nif}-${number}`
}

function invoiceReference(nif: string, number: string, day: string, suffix = ''): Element[] {
  return [
    [`sf:IDEmisorFactura${suffix}`, nif],
    [`sf:NumSerieFactura${suffix}`, number],
    [`sf:FechaExpedicionFactura${suffix}`, dayText(day)],
  ]
}

function recipientChildren(recipient: RecordRecipient): Element[] {
  const name: Element = ['sf:NombreRazon', recipient.name]
  if ('nif' in recipient) return [name, ['sf:NIF', recipient.nif]]
  return [
    name,
    [
      'sf:IDOtro',
      [
        ['sf:CodigoPais', recipient.country],
        ['sf:IDType', recipient.idType],
        ['sf:ID', recipient.id],
      ],
    ],
  ]
}

function breakdownChildren(line: BreakdownLine): (Element | null)[] {
  const isExempt = line.operation.startsWith('E')
  return [
    ['sf:Impuesto', line.tax],
    when(line.regime, regime => ['sf:ClaveRegimen', regime]),
    [isExempt ? 'sf:OperacionExenta' : 'sf:CalificacionOperacion', line.operation],
    when(line.rate, rate => ['sf:TipoImpositivo', rate]),
    ['sf:BaseImponibleOimporteNoSujeto', amountText(line.baseCents)],
    when(line.taxCents, cents => ['sf:CuotaRepercutida', amountText(cents)]),
    when(line.surchargeRate, rate => ['sf:TipoRecargoEquivalencia', rate]),
    when(line.surchargeCents, cents => ['sf:CuotaRecargoEquivalencia', amountText(cents)]),
  ]
}

/** The end of every record: its place in the chain, the software, the time and the hash. */
function chainChildren(record: TaxRecordRow, system: RecordSystem): Element[] {
  const { previous_invoice_number: number, previous_issue_date: day, previous_hash: hash } = record
  const isFirst = number === null || day === null || hash === null
  return [
    [
      'sf:Encadenamiento',
      [
        isFirst
          ? ['sf:PrimerRegistro', 'S']
          : [
              'sf:RegistroAnterior',
              [...invoiceReference(record.issuer_nif, number, day), ['sf:Huella', hash]],
            ],
      ],
    ],
    [
      'sf:SistemaInformatico',
      [
        ['sf:NombreRazon', system.producerName],
        ['sf:NIF', system.producerNif],
        ['sf:NombreSistemaInformatico', 'Patio'],
        ['sf:IdSistemaInformatico', 'PA'],
        ['sf:Version', system.version],
        ['sf:NumeroInstalacion', system.installation],
        // records are neither signed nor accompanied by a log of events, which the other way of working requires
        ['sf:TipoUsoPosibleSoloVerifactu', 'S'],
        ['sf:TipoUsoPosibleMultiOT', 'S'],
        ['sf:IndicadorMultiplesOT', 'S'],
      ],
    ],
    ['sf:FechaHoraHusoGenRegistro', record.generation_time],
    ['sf:TipoHuella', '01'],
    ['sf:Huella', record.hash],
  ]
}
