import { listText } from '../words/formatters.ts'
import { useLanguage, useWords, words } from '../words/words.ts'
import type { GrantObstacle } from './grant-rights.rules.ts'

const texts = words({
  es: {
    principal: 'Solo un administrador, o la persona responsable de la aplicación, puede hacerlo.',
    critical: 'La aplicación tiene un permiso crítico: solo un administrador puede hacerlo.',
    permissions: (missing: string) =>
      `Los permisos de la aplicación van más allá de los tuyos. Te falta ${missing}. Pídeselo a un administrador.`,
  },
  en: {
    principal: 'Only an administrator, or the principal of the application, can do this.',
    critical: 'The application has a critical scope: only an administrator can do this.',
    permissions: (missing: string) =>
      `The scopes of the application go beyond your permissions. You lack ${missing}. Ask an administrator.`,
  },
})

/** Why the person may not give the application more rights, as a sentence. */
export function GrantObstacleText({ obstacle }: { obstacle: GrantObstacle }) {
  const text = useWords(texts)
  const language = useLanguage()
  if (obstacle.reason !== 'permissions') return text[obstacle.reason]
  return text.permissions(listText(obstacle.missing, language))
}
