import { plural, words } from '../../words/words.ts'

export const startTexts = words({
  es: {
    title: 'Operador',
    reading: 'Leyendo lo que espera',
    waiting: 'Te espera',
    nothing: 'Nada te espera.',
    nothingAbout: 'El servidor funciona y nadie espera respuesta.',
    server: 'El servidor',
    seeHealth: 'Ver la salud',
    organizations: 'Organizaciones',
    version: 'Versión',
    scopes: (count: number) =>
      plural('es', count, 'petición de permiso crítico', 'peticiones de permisos críticos'),
    scopesAbout: 'Una organización espera tu respuesta.',
    submissions: (count: number) =>
      plural('es', count, 'envío al mercado por revisar', 'envíos al mercado por revisar'),
    submissionsAbout: 'Nadie más lo ve hasta que se aprueba.',
    reports: (count: number) => plural('es', count, 'denuncia del mercado', 'denuncias del mercado'),
    reportsAbout: 'Alguien ha avisado de un recurso publicado.',
    health: (count: number) =>
      plural('es', count, 'parte del servidor no está bien', 'partes del servidor no están bien'),
    healthAbout: 'Se lee cada 5 segundos, con lo que hay que hacer.',
    mails: (count: number) => plural('es', count, 'correo abandonado', 'correos abandonados'),
    mailsAbout: 'En los últimos 30 días.',
  },
  en: {
    title: 'Operator',
    reading: 'Reading what waits',
    waiting: 'Waiting for you',
    nothing: 'Nothing waits for you.',
    nothingAbout: 'The server works, and nobody waits for an answer.',
    server: 'The server',
    seeHealth: 'See the health',
    organizations: 'Organizations',
    version: 'Version',
    scopes: (count: number) => plural('en', count, 'critical scope request', 'critical scope requests'),
    scopesAbout: 'An organization waits for your answer.',
    submissions: (count: number) =>
      plural('en', count, 'marketplace submission to review', 'marketplace submissions to review'),
    submissionsAbout: 'Nobody else sees it until it is approved.',
    reports: (count: number) =>
      plural('en', count, 'report of a marketplace entry', 'reports of marketplace entries'),
    reportsAbout: 'Somebody warned about a published entry.',
    health: (count: number) =>
      plural('en', count, 'part of the server is not well', 'parts of the server are not well'),
    healthAbout: 'Read each 5 seconds, with what to do.',
    mails: (count: number) => plural('en', count, 'mail given up', 'mails given up'),
    mailsAbout: 'In the last 30 days.',
  },
})
