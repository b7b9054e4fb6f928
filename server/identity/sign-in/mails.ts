import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Language } from '#platform/language.ts'

export const resetLinkMinutes = 60

/**
 * The mail with the link to reset a password. The token is in the fragment (`#`), which browsers do not send,
 * so that no proxy log or referrer shows it.
 */
export function resetMail(
  person: { name: string; email: string },
  publicUrl: string,
  token: string,
  language: Language,
): MailMessage {
  const link = `${publicUrl}/reset-password#token=${encodeURIComponent(token)}`
  const { subject, text } = texts[language](person.name, publicUrl, link)
  return { to: person.email, subject, text }
}

const texts: Record<
  Language,
  (name: string, publicUrl: string, link: string) => Pick<MailMessage, 'subject' | 'text'>
> = {
  en: (name, publicUrl, link) => ({
    subject: 'Choose a new password',
    text: `Hello ${name},

somebody, probably you, requested a new password for ${publicUrl}.
Open this link within ${resetLinkMinutes} minutes to choose one:

${link}

The link works once. A new password signs you out everywhere and revokes your personal access tokens:
tools that use one need a new token.
If you did not request it, ignore this mail.
`,
  }),
  es: (name, publicUrl, link) => ({
    subject: 'Elige una contraseña nueva',
    text: `Hola, ${name}:

alguien, seguramente tú, ha pedido una contraseña nueva para ${publicUrl}.
Abre este enlace en menos de ${resetLinkMinutes} minutos para elegirla:

${link}

El enlace funciona una sola vez. Una contraseña nueva cierra todas tus sesiones y revoca tus tokens de acceso
personal: las herramientas que usen uno necesitarán otro.
Si no la has pedido, ignora este correo.
`,
  }),
}
