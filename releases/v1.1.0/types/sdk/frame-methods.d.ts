import { EnvironmentMethods } from './environment-methods.js';
/** The one form of a page's object: where it comes from, what it is greeted with, and how its faults are told. */
export declare abstract class FrameMethods extends EnvironmentMethods {
    #private;
}
