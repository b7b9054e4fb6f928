import { defined, lastOf, only } from '../elements.ts'
/** An element that was read from XML: its name without the prefix, and its children or its text. */
export type XmlElement = { name: string; children: XmlElement[]; text: string }

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Reads XML without comments, CDATA and processing instructions other than the first. Throws when tags do not match. */
export function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', children: [], text: '' }
  const open = [root]
  for (const [, closing, name, selfClosing, text] of xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/<(\/?)(?:\w+:)?(\w+)[^>]*?(\/?)>([^<]*)/g) as Iterable<
    [string, string, string, string, string]
  >) {
    if (closing) {
      if (defined(open.pop()).name !== name) throw new Error(`</${name}> closes another element`)
      continue
    }
    const plain = text.replace(/&(\w+);/g, (_all, entity: string) => defined(entities[entity]))
    const element = { name, children: [], text: plain }
    lastOf(open).children.push(element)
    if (!selfClosing) open.push(element)
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('Not one element')
  return only(root.children)
}

/** The first element with this name, at any depth. */
export function find(element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element
  for (const child of element.children) {
    const found = find(child, name)
    if (found) return found
  }
  return undefined
}

/** The text of the first element with this name. */
export const textOf = (element: XmlElement, name: string): string | undefined => find(element, name)?.text

/** All elements with this name, in the order of the document. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  const own = element.name === name ? [element] : []
  return [...own, ...element.children.flatMap(child => findAll(child, name))]
}

/** A text by its pattern, or the children in their order; `?` may be missing, `+` may be repeated. */
type Shape = RegExp | readonly [name: string, shape: Shape][]

const text = (most: number) => new RegExp(`^[^]{1,${most}}$`)
const nif = /^[A-Z0-9]{9}$/
const day = /^\d{2}-\d{2}-\d{4}$/
const amount = /^-?\d{1,12}\.\d{2}$/
const rate = /^\d{1,3}(\.\d{1,2})?$/
const hash = /^[0-9A-F]{64}$/
const yesOrNo = /^[SN]$/
const idOther: Shape = [
  ['CodigoPais', /^[A-Z]{2}$/],
  ['IDType', /^0[2-7]$/],
  ['ID', text(20)],
]
const reference = (suffix: string, then: [string, Shape][] = []): Shape => [
  [`IDEmisorFactura${suffix}`, nif],
  [`NumSerieFactura${suffix}`, text(60)],
  [`FechaExpedicionFactura${suffix}`, day],
  ...then,
]
const end: [string, Shape][] = [
  [
    'Encadenamiento',
    [
      ['PrimerRegistro?', /^S$/],
      ['RegistroAnterior?', reference('', [['Huella', hash]])],
    ],
  ],
  [
    'SistemaInformatico',
    [
      ['NombreRazon', text(120)],
      ['NIF', nif],
      ['NombreSistemaInformatico', text(30)],
      ['IdSistemaInformatico', text(2)],
      ['Version', text(50)],
      ['NumeroInstalacion', text(100)],
      ['TipoUsoPosibleSoloVerifactu', yesOrNo],
      ['TipoUsoPosibleMultiOT', yesOrNo],
      ['IndicadorMultiplesOT', yesOrNo],
    ],
  ],
  ['FechaHoraHusoGenRegistro', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/],
  ['TipoHuella', /^01$/],
  ['Huella', hash],
]
const registration: Shape = [
  ['IDVersion', /^1\.0$/],
  ['IDFactura', reference('')],
  ['RefExterna?', text(60)],
  ['NombreRazonEmisor', text(120)],
  ['TipoFactura', /^(F[1-3]|R[1-5])$/],
  ['TipoRectificativa?', /^[SI]$/],
  ['FacturasRectificadas?', [['IDFacturaRectificada+', reference('')]]],
  ['DescripcionOperacion', text(500)],
  ['FacturaSinIdentifDestinatarioArt61d?', yesOrNo],
  [
    'Destinatarios?',
    [
      [
        'IDDestinatario+',
        [
          ['NombreRazon', text(120)],
          ['NIF?', nif],
          ['IDOtro?', idOther],
        ],
      ],
    ],
  ],
  [
    'Desglose',
    [
      [
        'DetalleDesglose+',
        [
          ['Impuesto', /^0[1-35]$/],
          ['ClaveRegimen?', /^\d\d$/],
          ['CalificacionOperacion?', /^(S1|S2|N1|N2)$/],
          ['OperacionExenta?', /^E[1-8]$/],
          ['TipoImpositivo?', rate],
          ['BaseImponibleOimporteNoSujeto', amount],
          ['CuotaRepercutida?', amount],
          ['TipoRecargoEquivalencia?', rate],
          ['CuotaRecargoEquivalencia?', amount],
        ],
      ],
    ],
  ],
  ['CuotaTotal', amount],
  ['ImporteTotal', amount],
  ...end,
]
const cancellation: Shape = [
  ['IDVersion', /^1\.0$/],
  ['IDFactura', reference('Anulada')],
  ['RefExterna?', text(60)],
  ['SinRegistroPrevio?', yesOrNo],
  ...end,
]
const document: Shape = [
  [
    'Cabecera',
    [
      [
        'ObligadoEmision',
        [
          ['NombreRazon', text(120)],
          ['NIF', nif],
        ],
      ],
      ['RemisionVoluntaria?', [['Incidencia?', yesOrNo]]],
    ],
  ],
  [
    'RegistroFactura+',
    [
      ['RegistroAlta?', registration],
      ['RegistroAnulacion?', cancellation],
    ],
  ],
]

/**
 * The places where RegFactuSistemaFacturacion differs from the schemas of the tax office (SuministroLR.xsd and
 * SuministroInformacion.xsd, version 1.0), as far as Patio uses them.
 */
export function shapeFaults(element: XmlElement): string[] {
  if (element.name !== 'RegFactuSistemaFacturacion') return [`unexpected ${element.name}`]
  return faultsIn(element, document, '')
}

function faultsIn(element: XmlElement, shape: Shape, path: string): string[] {
  if (shape instanceof RegExp)
    return shape.test(element.text) && element.children.length === 0 ? [] : [`${path}: ${element.text}`]
  const faults: string[] = []
  const left = [...element.children]
  for (const [spelled, inner] of shape) {
    const name = spelled.replace(/[?+]$/, '')
    const isRepeated = spelled.endsWith('+')
    if (left[0]?.name !== name) {
      if (!spelled.endsWith('?')) faults.push(`${path}/${name} is missing`)
      continue
    }
    do faults.push(...faultsIn(defined(left.shift()), inner, `${path}/${name}`))
    while (isRepeated && left[0]?.name === name)
  }
  return [...faults, ...left.map(({ name }) => `${path}/${name} is not expected here`)]
}
