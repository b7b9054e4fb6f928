import { words } from '../../words/words.ts'

export const organizationTexts = words({
  es: {
    title: 'Organización',
    reading: 'Leyendo la organización',
    readOnly: 'Solo quienes gestionan la organización pueden cambiar esto.',
    nameAndAddress: 'Nombre y dirección',
    name: 'Nombre',
    address: 'Dirección',
    addressHint: 'Palabras en minúsculas y cifras, unidas por guiones.',
    addressPlace: (place: string) => `Empieza los enlaces de la organización: ${place}`,
    formerStays: (former: string) =>
      `Los enlaces con «${former}» seguirán llevando aquí, y nadie más podrá tomarla.`,
    takenAbout:
      'Una dirección que alguna organización ha usado no se libera nunca, para que un enlace antiguo no lleve a otra. Algunas palabras están reservadas para el servidor.',
    since: 'Creada',
    id: 'Identificador',
    save: 'Guardar',
    saved: 'Guardado.',
    publisher: 'Nombre de editor',
    publisherAbout:
      'El mercado muestra este nombre junto a tus recursos. Sin él, las demás organizaciones no ven quién los envió.',
    publisherHint: 'Un nombre nuevo pierde la verificación hasta que el operador lo compruebe otra vez.',
    noPublisher: 'Ninguno',
    verified: 'Verificado por el operador de este servidor',
    notVerified: 'Sin verificar',
    optional: 'Funciones opcionales',
    optionalAbout: 'Valen para todas las personas de la organización, en unos dos segundos.',
    on: 'Activada',
    off: 'Desactivada',
    planTitle: (plan: string) => `Plan ${plan}`,
    planAbout: 'El operador de este servidor cambia el plan. Aquí ves qué incluye y qué abre cada parte.',
    part: 'Parte',
    opens: 'Qué abre',
    state: 'En tu plan',
    included: 'Incluido',
    added: 'Añadido por el operador',
    removed: 'Retirado por el operador',
    from: (plan: string) => `Desde ${plan}`,
  },
  en: {
    title: 'Organization',
    reading: 'Reading the organization',
    readOnly: 'Only those who manage the organization can change this.',
    nameAndAddress: 'Name and address',
    name: 'Name',
    address: 'Address',
    addressHint: 'Words of lower-case letters and digits, joined by hyphens.',
    addressPlace: (place: string) => `Begins the links of the organization: ${place}`,
    formerStays: (former: string) =>
      `Links with “${former}” will keep leading here, and nobody else can take it.`,
    takenAbout:
      'An address that any organization has used is never released, so that an old link does not lead to another one. Some words are reserved for the server.',
    since: 'Created',
    id: 'Identifier',
    save: 'Save',
    saved: 'Saved.',
    publisher: 'Publisher name',
    publisherAbout:
      'The marketplace shows this name beside your assets. Without it, other organizations do not see who submitted them.',
    publisherHint: 'A new name is not verified until the operator checks it again.',
    noPublisher: 'None',
    verified: 'Verified by the operator of this server',
    notVerified: 'Not verified',
    optional: 'Optional features',
    optionalAbout: 'They apply to everybody in the organization, within about two seconds.',
    on: 'On',
    off: 'Off',
    planTitle: (plan: string) => `${plan} plan`,
    planAbout: 'The operator of this server changes the plan. Here is what it has, and what each part opens.',
    part: 'Part',
    opens: 'What it opens',
    state: 'In your plan',
    included: 'Included',
    added: 'Added by the operator',
    removed: 'Removed by the operator',
    from: (plan: string) => `From ${plan}`,
  },
})

/** The plans by their names. */
export const planNames = {
  FREE: 'Free',
  TEAM: 'Team',
  BUSINESS: 'Business',
  ENTERPRISE: 'Enterprise',
} as const

/** The modules, capabilities and features: the name, and what people can do with it. */
export const partTexts = {
  es: {
    studio: ['Estudio', 'Recursos, colecciones, el mercado y la conexión con herramientas'],
    integrations: ['Integraciones', 'Aplicaciones externas, webhooks, canales y avisos de errores'],
    crm: ['CRM', 'Clientes, oportunidades, presupuestos y firmas'],
    finance: ['Finanzas', 'Facturas, pagos y conciliación'],
    card_payments: ['Pagos con tarjeta', 'Cobrar con tarjeta por una pasarela, y devolver'],
    'crm.leads': ['Leads', 'Captar, puntuar y convertir leads'],
    'finance.direct_debit': [
      'Cobros autorizados',
      'Cobrar con una autorización, sin que el cliente intervenga',
    ],
    marketplace: ['Mercado', 'Instalar recursos de otras organizaciones y publicar los tuyos'],
  },
  en: {
    studio: ['Studio', 'Assets, collections, the marketplace and the connection of tools'],
    integrations: ['Integrations', 'External applications, webhooks, channels and error reports'],
    crm: ['CRM', 'Clients, opportunities, budgets and signatures'],
    finance: ['Finance', 'Invoices, payments and reconciliation'],
    card_payments: ['Card payments', 'Charge cards through a gateway, and refund'],
    'crm.leads': ['Leads', 'Collect, score and convert leads'],
    'finance.direct_debit': ['Authorized charges', 'Charge under an authorization, without the payer'],
    marketplace: ['Marketplace', 'Install assets of other organizations, and publish yours'],
  },
} as const
