import { Page } from '../../parts/page.tsx'
import { useWords, words } from '../../words/words.ts'

const texts = words({ es: { title: 'Tu perfil' }, en: { title: 'Your profile' } })

export function Profile() {
  const { title } = useWords(texts)
  return <Page title={title}>…</Page>
}
