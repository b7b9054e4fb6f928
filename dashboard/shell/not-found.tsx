import { ButtonLink } from '../parts/button.tsx'
import { Problem } from '../parts/states.tsx'
import { useWords, words } from '../words/words.ts'

const texts = words({
  es: {
    title: 'No está aquí, o no es para ti',
    about: 'La dirección puede estar incompleta, o lo que mostraba ya no existe.',
    home: 'Ir al inicio',
  },
  en: {
    title: 'Not here, or not for you',
    about: 'The address may be incomplete, or what it showed no longer exists.',
    home: 'Go to Home',
  },
})

export function NotFound() {
  const { title, about, home } = useWords(texts)
  return (
    <Problem title={title} action={<ButtonLink href="/">{home}</ButtonLink>}>
      {about}
    </Problem>
  )
}
