import { MemberField } from '../../data/member-field.tsx'
import { useWords, words } from '../../words/words.ts'

const texts = words({
  es: { owner: 'Responsable', nobody: 'Nadie' },
  en: { owner: 'Owner', nobody: 'Nobody' },
})

/** The person who works on a lead, found on the server by name; null is nobody. */
export function OwnerField({
  value,
  onChange,
}: {
  value: string | null
  onChange: (id: string | null) => void
}) {
  const text = useWords(texts)
  return <MemberField label={text.owner} nobody={text.nobody} value={value} onChange={onChange} />
}
