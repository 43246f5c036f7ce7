/** Vitest runs this in each process of the tests that start services. */
import { keepThreads } from './kept-threads.ts'

keepThreads()
