import { useRouter } from '@tanstack/react-router'
import { textOfError } from '../data/errors.ts'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/states.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'

const texts = words({
  es: {
    title: 'Esta pantalla no se ha podido abrir',
    again: 'Intentar otra vez',
    reload: 'Recargar',
    old: 'El servidor tiene una versión nueva de Patio. Recarga la página; los borradores se conservan.',
  },
  en: {
    title: 'This screen could not be opened',
    again: 'Try again',
    reload: 'Reload',
    old: 'The server has a new version of Patio. Reload the page; drafts are kept.',
  },
})

/** The screen that failed to open, also when its script belongs to a build that is gone. */
export function ScreenProblem({ error }: { error: unknown }) {
  const { title, again, reload, old } = useWords(texts)
  const language = useLanguage()
  const router = useRouter()
  const isOldBuild =
    error instanceof TypeError && /dynamically imported module|module script/.test(error.message)
  return (
    <Problem
      title={title}
      action={
        isOldBuild ? (
          <Button onPress={() => location.reload()}>{reload}</Button>
        ) : (
          <Button onPress={() => void router.invalidate()}>{again}</Button>
        )
      }
    >
      {isOldBuild ? old : textOfError(error, language)}
    </Problem>
  )
}
