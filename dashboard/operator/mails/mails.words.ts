import { plural, words } from '../../words/words.ts'

export const mailTexts = words({
  es: {
    title: 'Correos',
    mail: 'Correo',
    total: (count: number) => plural('es', count, 'correo', 'correos'),
    reading: 'Leyendo el correo',
    missing: 'Este correo ya no está en la lista: quizá se ha enviado.',
    kind: 'Tipo',
    state: 'Estado',
    QUEUED: 'En cola',
    RETRYING: 'Se reintenta',
    REFUSED: 'Abandonado',
    recipient: 'Destinatario',
    notTried: 'Sin intentar todavía',
    organization: 'Organización',
    openOrganization: 'Ver la organización',
    attempts: 'Intentos',
    id: 'Identificador',
    queuedAt: 'En cola desde',
    nextAt: 'Próximo intento',
    refusedAt: 'Abandonado el',
    error: 'Último error',
    empty: 'La cola está vacía.',
    emptyAbout: 'Todos los correos han salido, y ninguno se ha abandonado en 30 días.',
    nothing: 'Ningún correo encaja.',
    clear: 'Quitar los filtros',
    about:
      'Sin asunto ni texto, que son de las organizaciones. Las invitaciones y los cambios de contraseña se envían al momento y no pasan por la cola.',
    todo: 'Qué hacer',
    QUEUED_TODO:
      'Nada: sale en unos segundos. Si sigue aquí pasados cinco minutos, mira si hay un proceso worker en marcha.',
    RETRYING_TODO:
      'El servidor lo intenta otra vez, cada vez con más pausa, hasta una hora. Comprueba la dirección y las credenciales de SMTP_URL si el error se repite en muchos correos.',
    REFUSED_TODO:
      'No se envía más. Corrige la causa y pide a la organización que lo mande otra vez desde el presupuesto o la factura.',
  },
  en: {
    title: 'Mails',
    mail: 'Mail',
    total: (count: number) => plural('en', count, 'mail', 'mails'),
    reading: 'Reading the mail',
    missing: 'This mail is no longer in the list: it may have been sent.',
    kind: 'Kind',
    state: 'State',
    QUEUED: 'Queued',
    RETRYING: 'Retrying',
    REFUSED: 'Given up',
    recipient: 'Recipient',
    notTried: 'Not tried yet',
    organization: 'Organization',
    openOrganization: 'See the organization',
    attempts: 'Attempts',
    id: 'Identifier',
    queuedAt: 'Queued since',
    nextAt: 'Next attempt',
    refusedAt: 'Given up',
    error: 'Last error',
    empty: 'The queue is empty.',
    emptyAbout: 'Every mail was sent, and none was given up in 30 days.',
    nothing: 'No mail fits.',
    clear: 'Clear the filters',
    about:
      'Without subjects and texts, which belong to the organizations. Invitations and password resets are sent at once and never queued.',
    todo: 'What to do',
    QUEUED_TODO:
      'Nothing: it is sent within seconds. If it is still here after five minutes, check that a worker process runs.',
    RETRYING_TODO:
      'The server tries again, each time after a longer pause, up to an hour. If many mails have the same error, check the address and the credentials in SMTP_URL.',
    REFUSED_TODO:
      'It is not sent any more. Repair the cause, and ask the organization to send it again from the budget or the invoice.',
  },
})

/** The kinds of mail that the server queues. */
export const mailKindTexts = {
  'signing-link': { es: 'Enlace para firmar un presupuesto', en: 'Link to sign a budget' },
  'budget-signed-signer': { es: 'Presupuesto firmado, al firmante', en: 'Signed budget, to the signer' },
  'budget-signed-owner': { es: 'Presupuesto firmado, al responsable', en: 'Signed budget, to its owner' },
  'budget-declined-owner': { es: 'Presupuesto rechazado', en: 'Declined budget' },
  'signature-request-completed': { es: 'Todas las firmas reunidas', en: 'All signatures collected' },
  'signature-request-ended': { es: 'Petición de firmas terminada', en: 'Signature request ended' },
  'invoice-reminder': { es: 'Recordatorio de factura', en: 'Reminder of an invoice' },
  'webhook-paused': { es: 'Webhook en pausa', en: 'Webhook paused' },
  'webhook-recovered': { es: 'Webhook recuperado', en: 'Webhook recovered' },
  'scope-request-answered': { es: 'Respuesta a un permiso crítico', en: 'Answer to a critical scope' },
} as const satisfies Readonly<Record<string, { es: string; en: string }>>
