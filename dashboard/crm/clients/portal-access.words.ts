import { plural, words } from '../../words/words.ts'

export const portalAccessTexts = words({
  es: {
    title: 'Sesiones del portal',
    none: 'Nadie está dentro del portal, ni tiene un enlace sin usar.',
    signedIn: 'Entró',
    requested: 'Pidió un enlace',
    used: 'último uso',
    from: (address: string) => `desde ${address}`,
    end: 'Cerrar',
    endSession: (name: string) => `Cerrar esta sesión de ${name}`,
    endLink: (name: string) => `Anular este enlace de ${name}`,
    sessionEnded: 'Sesión cerrada.',
    linkEnded: 'Enlace anulado.',
    endAll: 'Cerrar todas…',
    endAllQuestion: (client: string) => `¿Cerrar todas las sesiones de ${client} en el portal?`,
    endAllAbout:
      'Sus contactos salen del portal al instante, y los enlaces de correos anteriores dejan de funcionar. Pueden pedir enlaces nuevos; para impedírselo a alguien, archiva su contacto.',
    endAllAction: 'Cerrar sesiones',
    allEnded: (sessions: number) =>
      sessions === 0
        ? 'No había sesiones abiertas. Los enlaces anteriores ya no funcionan.'
        : plural('es', sessions, '1 sesión cerrada.', `${sessions} sesiones cerradas.`),
  },
  en: {
    title: 'Portal sessions',
    none: 'Nobody is signed in to the portal or has an unused link.',
    signedIn: 'Signed in',
    requested: 'Requested a link',
    used: 'last used',
    from: (address: string) => `from ${address}`,
    end: 'End',
    endSession: (name: string) => `End this session of ${name}`,
    endLink: (name: string) => `Revoke this link of ${name}`,
    sessionEnded: 'Session ended.',
    linkEnded: 'Link revoked.',
    endAll: 'End all…',
    endAllQuestion: (client: string) => `End all portal sessions of ${client}?`,
    endAllAbout:
      'Its contacts leave the portal at once, and links in earlier mails stop working. They can request new links; archive a contact to prevent that.',
    endAllAction: 'End sessions',
    allEnded: (sessions: number) =>
      sessions === 0
        ? 'No sessions were open. Earlier links no longer work.'
        : plural('en', sessions, '1 session ended.', `${sessions} sessions ended.`),
  },
})
