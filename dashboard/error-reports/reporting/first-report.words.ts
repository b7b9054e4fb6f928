import { words } from '../../words/words.ts'

/** How an application reports its first error. */
export const firstReportTexts = words({
  es: {
    title: 'Todavía no ha llegado ningún error',
    about:
      'Una aplicación con el permiso analytics:errors:write comunica los errores de su servidor con el SDK. Los iguales se agrupan, y sus secretos se quitan antes de guardarlos.',
    snippet: 'Código que comunica errores',
    curl: 'Con curl',
    sdk: 'Con el SDK',
    applications: 'Ver las aplicaciones',
    reference: 'Guía de la API',
    key: 'La clave de la aplicación va en la variable PATIO_KEY.',
  },
  en: {
    title: 'No error has arrived yet',
    about:
      'An application with the scope analytics:errors:write reports the errors of its server with the SDK. Equal ones are grouped, and their secrets are removed before they are stored.',
    snippet: 'Code that reports errors',
    curl: 'With curl',
    sdk: 'With the SDK',
    applications: 'Show the applications',
    reference: 'API guide',
    key: 'The key of the application is in the variable PATIO_KEY.',
  },
})
