import type { Language } from '../../words/words.ts'

/** The background jobs by the names under which the server records them. */
export const jobTexts: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'import from CSV': { es: 'Importar de CSV', en: 'Import from CSV' },
  'send mails': { es: 'Enviar correos', en: 'Send mails' },
  'repeat mails': { es: 'Repetir correos', en: 'Repeat mails' },
  'poll payments': { es: 'Preguntar por pagos en curso', en: 'Ask about payments in progress' },
  'poll refunds': { es: 'Preguntar por devoluciones en curso', en: 'Ask about refunds in progress' },
  'poll cards': { es: 'Comprobar tarjetas que se quitan', en: 'Check cards that are being removed' },
  'end lost invoice mails': {
    es: 'Cerrar envíos de facturas interrumpidos',
    en: 'End interrupted mails of invoices',
  },
  'poll gateway accounts': { es: 'Comprobar cuentas de la pasarela', en: 'Check accounts at the gateway' },
  reconcile: { es: 'Conciliar con la pasarela', en: 'Reconcile with the gateway' },
  'delete refused mails': { es: 'Borrar correos rechazados', en: 'Delete refused mails' },
  'delete expired events': { es: 'Borrar eventos caducados', en: 'Delete expired events' },
  'delete expired sessions': { es: 'Borrar sesiones caducadas', en: 'Delete expired sessions' },
  'delete expired assets': { es: 'Borrar recursos caducados', en: 'Delete expired assets' },
  'delete unused files': { es: 'Borrar archivos sin uso', en: 'Delete unused files' },
  'delete unposted files': { es: 'Borrar archivos sin publicar', en: 'Delete unposted files' },
  'delete old errors': { es: 'Borrar errores antiguos', en: 'Delete old errors' },
  'delete old imports': { es: 'Borrar importaciones antiguas', en: 'Delete old imports' },
  'delete expired portal access': {
    es: 'Borrar accesos caducados al portal',
    en: 'Delete expired portal access',
  },
  'maintain delivery partitions': {
    es: 'Preparar y borrar entregas por días',
    en: 'Maintain delivery partitions',
  },
  'rank marketplace entries': { es: 'Ordenar el mercado', en: 'Rank marketplace entries' },
  'end featured entries': { es: 'Retirar destacados del mercado', en: 'End featured entries' },
  'expire proposals': { es: 'Caducar propuestas de agentes', en: 'Expire proposals of agents' },
  'announce overdue invoices': { es: 'Anunciar facturas vencidas', en: 'Announce overdue invoices' },
  'stop expired signature requests': {
    es: 'Detener peticiones de firma caducadas',
    en: 'Stop expired signature requests',
  },
  'queue reminders': { es: 'Preparar recordatorios de facturas', en: 'Queue reminders of invoices' },
  'queue signing reminders': { es: 'Preparar recordatorios de firmas', en: 'Queue reminders of signatures' },
  'announce expired shares': { es: 'Anunciar accesos caducados', en: 'Announce expired shares' },
  'seal budgets': { es: 'Sellar presupuestos firmados', en: 'Seal signed budgets' },
  'stamp signatures': { es: 'Sellar el tiempo de las firmas', en: 'Time stamp signatures' },
  'send tax records': { es: 'Enviar registros a Hacienda', en: 'Send tax records' },
  'watch the lead clock': { es: 'Vigilar el reloj de los leads', en: 'Watch the lead clock' },
}
