// SPDX-License-Identifier: MIT
//
// The syntax tree of a WGSL module, with the slots in which the checker records what it found. The
// parser builds it, the checker annotates it in place, lowering reads it. All nodes live in the
// compilation's arena and are never freed one by one. One thread at a time.
//
// Rules for everyone who walks the tree
// - **Chains lean left and are as long as the source.** `a + a + a …`, `v.x.x.x …`, `m[0][0] …` are
//   parsed without recursion into nodes whose *left spine* (ast_expression_get_spine) may be 10^7
//   nodes deep. Walk the spine with a loop: collect it into a heap array, then go from its bottom
//   up. Every other edge is bounded: between an expression and its statement lie at most
//   AST_EXPRESSION_DEPTH_LIMIT indices, arguments, operands of unary operators or parentheses, and
//   template arguments, with at most 4 right operands before each; between a statement and its
//   function at most AST_STATEMENT_DEPTH_LIMIT statements. Recursion over those is safe.
// - `else if` chains are one flat array of clauses.
// - After a syntax error the tree is still well-formed: EXPRESSION_ERROR stands where no expression
//   could be read, and a name may be the shared `error` name (ast_module.error_name). Stages after
//   the parser stay silent about both.
// - No pointer in a node is NULL unless its comment says so.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"
#include "facts/shader_enum.h"
#include "shader/type/type.h"
#include "shader/wgsl/source.h"

#define AST_EXPRESSION_DEPTH_LIMIT 127u
#define AST_STATEMENT_DEPTH_LIMIT 255u

struct ast_expression;
struct ast_declaration;
struct ast_statement;
struct ast_function;
struct const_value; // checker's: a value of any type, in the layout of type.h

// An identifier, interned: the same spelling is the same pointer within one module. `global` and
// `predeclared` make lookup at module scope one load; the checker fills and uses all but `text`.
struct ast_name {
    struct text text;
    struct ast_declaration *global; // the module-scope declaration, or NULL
    struct ast_declaration *local;  // the innermost function-scope declaration now, or NULL
    uint32_t predeclared;           // checker's key of a predeclared object, 0: not looked up yet
};

struct ast_expression_list {
    struct ast_expression **items; // NULL when count is 0
    uint32_t count;
};

// ---- Expressions -------------------------------------------------------------------------------

enum expression_kind {
    EXPRESSION_ERROR,       // the parser could not read one; already reported
    EXPRESSION_LITERAL,     // number or bool
    EXPRESSION_IDENTIFIER,  // name, perhaps with template arguments: variable, value, type, …
    EXPRESSION_CALL,        // callee(arguments): function, built-in, constructor, conversion
    EXPRESSION_INDEX,       // base[index]
    EXPRESSION_MEMBER,      // base.name: structure member or swizzle
    EXPRESSION_UNARY,       // - ! ~
    EXPRESSION_ADDRESS_OF,  // &operand, in `unary`
    EXPRESSION_INDIRECTION, // *operand, in `unary`
    EXPRESSION_BINARY,
    EXPRESSION_PAREN, // (operand), in `unary`
};

enum unary_operator { UNARY_NEGATE, UNARY_NOT, UNARY_COMPLEMENT };

enum binary_operator {
    BINARY_ADD,
    BINARY_SUBTRACT,
    BINARY_MULTIPLY,
    BINARY_DIVIDE,
    BINARY_REMAINDER,
    BINARY_AND,
    BINARY_OR,
    BINARY_XOR,
    BINARY_SHIFT_LEFT,
    BINARY_SHIFT_RIGHT,
    BINARY_EQUAL,
    BINARY_NOT_EQUAL,
    BINARY_LESS,
    BINARY_LESS_EQUAL,
    BINARY_GREATER,
    BINARY_GREATER_EQUAL,
    BINARY_LOGICAL_AND,
    BINARY_LOGICAL_OR,
};

enum literal_kind {
    LITERAL_BOOL,
    LITERAL_ABSTRACT_INT,
    LITERAL_I32,
    LITERAL_U32,
    LITERAL_ABSTRACT_FLOAT,
    LITERAL_F32,
    LITERAL_F16,
};

// When the value of an expression is known (WGSL §Early Evaluation Expressions).
enum evaluation_stage { EVALUATION_CONST, EVALUATION_OVERRIDE, EVALUATION_RUNTIME };

// What an identifier or a callee turned out to name.
enum ast_resolution {
    RESOLUTION_NONE,             // not resolved, or an error was reported
    RESOLUTION_DECLARATION,      // `declaration`: var let const override parameter function …
    RESOLUTION_TYPE,             // a type: the expression's `type` is the type itself
    RESOLUTION_TYPE_GENERATOR,   // e.g. `vec3` without arguments, only as a callee
    RESOLUTION_ENUMERANT,        // predeclared enumerant, `detail` is the checker's number of it
    RESOLUTION_BUILTIN_FUNCTION, // `detail` is the row of the checker's built-in table
};

enum ast_call_kind {
    CALL_NONE,
    CALL_FUNCTION,   // `function`
    CALL_BUILTIN,    // `builtin`, `overload`
    CALL_ZERO_VALUE, // T()
    CALL_CONSTRUCT,  // composite from parts: vector (any mix), matrix, array, structure
    CALL_CONVERT,    // scalar, vector or matrix to another element type, component by component
    CALL_SPLAT,      // vecN(scalar)
    CALL_IDENTITY,   // T(value of type T)
};

// What a call does, for lowering. The arguments' own `type` is that of the *converted* argument:
// abstract operands have been materialised by the checker.
struct ast_call {
    enum ast_call_kind kind;
    uint16_t builtin;         // CALL_BUILTIN: row of the built-in table (builtin.def)
    uint16_t overload;        // CALL_BUILTIN: which signature matched
    uint8_t const_parameters; // CALL_BUILTIN: bit i: argument i had to be a const-expression
    type_id types[4]; // CALL_BUILTIN: what the signature's type parameters were bound to, in order
    struct ast_declaration *function; // CALL_FUNCTION
};

enum ast_member_kind {
    MEMBER_UNRESOLVED,
    MEMBER_STRUCT,  // `member_index`
    MEMBER_SWIZZLE, // `swizzle_count` components, 1 for `.x`
};

// There are two for every three bytes of a dense source: a node is allocated with no more than what
// its kind uses of the union (ast_expression_size), and must not be copied.
struct ast_expression {
    uint8_t kind : 4;       // enum expression_kind
    uint8_t stage : 2;      // enum evaluation_stage. Checker
    uint8_t resolution : 3; // EXPRESSION_IDENTIFIER: enum ast_resolution. Checker
    // Checker: the expression denotes a memory location; `type` is then a TYPE_REFERENCE.
    bool is_reference : 1;
    // Checker: the load rule applies here: the parent uses the value stored at the reference.
    bool needs_load : 1;
    // Checker: has been visited (for demand-driven checks of module-scope initialisers).
    bool is_checked : 1;
    uint16_t detail;         // EXPRESSION_IDENTIFIER: see enum ast_resolution
    struct source_span span; // the whole expression
    // Checker: the final type, after conversion to what the context asks for (so never abstract
    // where the value is used at run time). For a reference: TYPE_REFERENCE; the loaded value's
    // type is its element.
    type_id type;
    // Checker: the value, converted to `type`, when stage is EVALUATION_CONST; else NULL.
    const struct const_value *value;
    union {
        struct {
            uint8_t kind; // enum literal_kind
            bool is_hexadecimal;
            bool is_true; // LITERAL_BOOL
            // The raw text is the expression's span; suffix included. Numbers are evaluated by the
            // checker (const_literal_*.c).
        } literal;
        struct {
            struct ast_name *name;
            struct ast_expression_list *template_arguments; // NULL: no template list; never empty
            struct ast_declaration *declaration;            // RESOLUTION_DECLARATION, else NULL
        } identifier;
        struct {
            struct ast_expression *callee; // EXPRESSION_IDENTIFIER
            struct ast_expression_list arguments;
            struct ast_call *resolved; // checker; NULL until resolved or on error
        } call;
        struct {
            struct ast_expression *base;
            struct ast_expression *index;
        } index;
        struct {
            struct ast_expression *base;
            struct ast_name *name;
            struct source_span name_span;
            uint8_t kind;          // enum ast_member_kind. Checker
            uint8_t swizzle_count; // MEMBER_SWIZZLE
            uint8_t swizzle[4];    // component indices 0..3
            uint16_t member_index; // MEMBER_STRUCT
        } member;
        struct {
            struct ast_expression *operand;
            uint8_t op; // enum unary_operator, EXPRESSION_UNARY only
        } unary;
        struct {
            struct ast_expression *left;
            struct ast_expression *right;
            uint32_t operator_begin; // byte offset
            uint8_t op;              // enum binary_operator
        } binary;
    };
};

// The bytes that a node of the kind takes.
size_t ast_expression_size(enum expression_kind kind);
struct source_span ast_binary_operator_span(const struct ast_expression *binary);

// The next node down the left spine: left operand, index or member base; NULL at the bottom.
struct ast_expression *ast_expression_get_spine(const struct ast_expression *expression);
const char *ast_binary_operator_text(enum binary_operator op);
const char *ast_unary_operator_text(enum unary_operator op);

// ---- Attributes --------------------------------------------------------------------------------

enum attribute_kind {
    ATTRIBUTE_UNKNOWN, // reported by the parser
#define ATTRIBUTE(name, word, minimum, maximum, arguments, places) ATTRIBUTE_##name,
#include "shader/wgsl/attribute.def"
};

enum ast_severity { AST_SEVERITY_ERROR, AST_SEVERITY_WARNING, AST_SEVERITY_INFO, AST_SEVERITY_OFF };

// The controls of `diagnostic(severity, rule);` and `@diagnostic(severity, rule)`.
struct ast_diagnostic_control {
    enum ast_severity severity;
    struct ast_name *rule;       // "derivative_uniformity"
    struct ast_name *rule_minor; // the part after the period, or NULL
    struct source_span rule_span;
    struct source_span span;
};

struct ast_attribute {
    enum attribute_kind kind;
    struct source_span span; // from '@' to the last token
    struct source_span name_span;
    // Expressions; for names (builtin, interpolate) EXPRESSION_IDENTIFIER nodes that are not to be
    // resolved. The parser has checked by attribute.def: the count, that names are names, the place
    // (an attribute that stands in a wrong place or a second time is reported and left out).
    struct ast_expression_list arguments;
    struct ast_diagnostic_control *control; // ATTRIBUTE_DIAGNOSTIC, else NULL
};

struct ast_attribute_list {
    struct ast_attribute *items; // NULL when count is 0
    uint32_t count;
    bool has_unknown; // one without meaning was dropped, which is reported
};

// The first attribute of that kind, or NULL.
struct ast_attribute *ast_attribute_find(
    const struct ast_attribute_list *list, enum attribute_kind kind);

enum interpolation_type { INTERPOLATION_PERSPECTIVE, INTERPOLATION_LINEAR, INTERPOLATION_FLAT };
enum interpolation_sampling {
    SAMPLING_CENTER,
    SAMPLING_CENTROID,
    SAMPLING_SAMPLE,
    SAMPLING_FIRST,
    SAMPLING_EITHER,
};

// Checker: the evaluated shader-interface attributes of a parameter, a result or a member.
struct ast_interface {
    bool has_builtin;
    bool has_location;
    bool has_blend_src;
    bool is_invariant;
    uint8_t depth_mode; // frag_depth: 0 none given, 1 less, 2 greater
    enum interpolation_type interpolation : 8;
    enum interpolation_sampling sampling : 8;
    enum builtin_value builtin : 8; // the row of the stage and direction where it is known
    uint32_t location;
    uint32_t blend_src;
};

// ---- Declarations ------------------------------------------------------------------------------

enum declaration_kind {
    DECLARATION_VARIABLE, // var, at module or function scope
    DECLARATION_CONST,
    DECLARATION_OVERRIDE,
    DECLARATION_LET,
    DECLARATION_PARAMETER, // of a function
    DECLARATION_ALIAS,
    DECLARATION_STRUCT,
    DECLARATION_FUNCTION,
    DECLARATION_CONST_ASSERT, // module scope only; no name
};

enum ast_visit_state { VISIT_NEW, VISIT_ACTIVE, VISIT_DONE }; // for the checker's cycle detection

struct ast_member {
    struct ast_name *name;
    struct source_span name_span;
    struct ast_attribute_list attributes;
    struct ast_expression *type_expression;
    struct source_span span;
    // Checker. Offsets and sizes are in the type table.
    type_id type;
    struct ast_interface interface;
};

struct ast_struct {
    struct ast_member *members;
    uint32_t member_count;
};

struct ast_block {
    struct source_span span; // braces included
    struct ast_attribute_list attributes;
    struct ast_statement **items; // NULL when count is 0
    uint32_t count;
};

struct ast_declaration_list {
    struct ast_declaration **items;
    uint32_t count;
};

struct ast_function {
    struct ast_declaration **parameters; // DECLARATION_PARAMETER
    uint32_t parameter_count;
    struct ast_attribute_list result_attributes;
    struct ast_expression *result_type_expression; // NULL: no result
    struct ast_block body;
    // Checker.
    type_id result_type; // TYPE_VOID without result
    struct ast_interface result_interface;
    bool is_entry_point;
    enum shader_stage stage;
    bool is_must_use;
    // @workgroup_size, after conversion; NULL: 1. Constant or override expressions.
    struct ast_expression *workgroup_size[3];
    struct ast_expression *subgroup_size;    // NULL: none
    struct ast_declaration_list globals;     // module-scope var and override used *directly*
    struct ast_declaration_list callees;     // functions called directly, each once
    struct ast_declaration_list all_globals; // with those of every function it may call
    uint8_t behavior;                        // enum ast_behavior bits of the body
    // Lowering: the IR function's id + 1.
    uint32_t ir_id;
};

struct ast_declaration {
    enum declaration_kind kind : 8;
    bool is_module_scope;
    // ---- Checker.
    enum ast_visit_state visit : 8;
    enum evaluation_stage stage : 8; // const: CONST; override: OVERRIDE; the rest RUNTIME
    enum address_space space : 8;    // variables
    enum access_mode access : 8;     // variables
    bool has_binding;                // @group and @binding, evaluated
    bool has_override_id;            // @id
    bool is_used;                    // read, written or called anywhere
    // Value declarations and parameters: the value's type. Variables: the *store type*. Alias and
    // struct: the type itself. Functions: the result type.
    type_id type;

    // ---- Parser.
    struct source_span span; // attributes to the last token, without ';' ; functions: to '}'
    struct source_span name_span;
    struct ast_name *name;
    struct ast_attribute_list attributes;
    // `: T` of values, variables and parameters; the aliased type of an alias. NULL: none written.
    struct ast_expression *type_expression;
    // The initialiser, or const_assert's condition. NULL: none.
    struct ast_expression *initializer;
    // DECLARATION_VARIABLE: the arguments of `var<…>`; NULL without a template list.
    struct ast_expression_list *template_arguments;
    struct ast_struct *structure;  // DECLARATION_STRUCT, else NULL
    struct ast_function *function; // DECLARATION_FUNCTION, else NULL

    // ---- Checker.
    struct ast_declaration *shadowed; // for restoring ast_name.local at the end of a scope
    const struct const_value *value; // DECLARATION_CONST; an override's default when it is constant
    uint32_t group;
    uint32_t binding;
    uint32_t override_id;           // given, or assigned by the checker (unique in the module)
    struct ast_interface interface; // parameters
    // Pointer `let`: its root identifier, a variable or a pointer parameter (WGSL §Root Identifier).
    struct ast_declaration *root;
    uint32_t index;          // place in ast_module.sorted (dependency order)
    uint32_t override_array; // checker's bookkeeping of override-sized arrays

    // ---- Lowering: an index into its own tables, + 1; 0 is none.
    uint32_t ir_id;
};

// ---- Statements --------------------------------------------------------------------------------

enum statement_kind {
    STATEMENT_COMPOUND,
    STATEMENT_DECLARATION, // var let const
    STATEMENT_ASSIGN,      // = and the compound operators, and `_ =`
    STATEMENT_INCREMENT,   // ++ and --
    STATEMENT_CALL,
    STATEMENT_IF,
    STATEMENT_SWITCH,
    STATEMENT_LOOP,
    STATEMENT_FOR,
    STATEMENT_WHILE,
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    STATEMENT_RETURN,
    STATEMENT_DISCARD,
    STATEMENT_CONST_ASSERT,
};

// WGSL §Statements Behavior Analysis; a set of bits.
enum ast_behavior {
    BEHAVIOR_NEXT = 1,
    BEHAVIOR_BREAK = 2,
    BEHAVIOR_CONTINUE = 4,
    BEHAVIOR_RETURN = 8,
};

// One `if (condition) { … }` or `else if (condition) { … }`.
struct ast_if_clause {
    struct ast_expression *condition;
    struct ast_block block;
    struct source_span span;
};

struct ast_switch_clause {
    struct ast_expression_list selectors; // without `default`
    bool has_default;                     // `default`, alone or among the selectors
    struct source_span default_span;
    struct ast_block block;
    struct source_span span;
};

// Allocated with no more than what the kind uses of the union; not to be copied.
struct ast_statement {
    uint8_t kind;            // enum statement_kind
    uint8_t behavior;        // checker
    struct source_span span; // without ';'
    // Of if, switch, loop, for and while; a compound statement's are in its block.
    struct ast_attribute_list attributes;
    union {
        struct ast_block compound;
        struct ast_declaration *declaration; // also STATEMENT_CONST_ASSERT
        struct {
            struct ast_expression *target; // NULL: phony assignment
            struct ast_expression *value;
            struct source_span operator_span;
            bool is_compound;
            uint8_t op; // enum binary_operator, when is_compound
            // Checker: compound only; the type in which target op value is computed.
            type_id operation_type;
        } assign;
        struct {
            struct ast_expression *target;
            bool is_decrement;
        } increment;
        struct ast_expression *call; // EXPRESSION_CALL
        struct {
            struct ast_if_clause *clauses; // the first is `if`
            uint32_t clause_count;
            struct ast_block *otherwise; // NULL: no else
        } branch;
        struct {
            struct ast_expression *selector;
            struct ast_attribute_list body_attributes;
            struct ast_switch_clause *clauses;
            uint32_t clause_count;
        } select;
        struct {
            struct ast_block body;           // without the continuing block
            struct ast_block *continuing;    // NULL: none
            struct ast_expression *break_if; // NULL: none
        } loop;
        struct {
            struct ast_statement *init;       // NULL: none
            struct ast_expression *condition; // NULL: none
            struct ast_statement *update;     // NULL: none
            struct ast_block body;
        } loop_for;
        struct {
            struct ast_expression *condition;
            struct ast_block body;
        } loop_while;
        struct ast_expression *result; // STATEMENT_RETURN; NULL: none
    };
};

size_t ast_statement_size(enum statement_kind kind);

// ---- Module ------------------------------------------------------------------------------------

enum directive_kind { DIRECTIVE_ENABLE, DIRECTIVE_REQUIRES, DIRECTIVE_DIAGNOSTIC };

struct ast_directive_name {
    struct ast_name *name;
    struct source_span span;
};

struct ast_directive {
    enum directive_kind kind;
    struct source_span span;
    struct ast_directive_name *names; // enable, requires: not checked by the parser
    uint32_t name_count;
    struct ast_diagnostic_control control; // diagnostic
};

struct ast_name_table;
struct ir_module;

struct ast_module {
    const struct source *source;
    struct arena *arena;
    struct ast_directive *directives;
    uint32_t directive_count;
    struct ast_declaration **declarations; // in the order of the text
    uint32_t declaration_count;
    struct ast_name *error_name; // its text is empty
    struct ast_name_table *names;
    bool has_lost_blocks; // a brace was missing or too much: what is nested in what is a guess
    bool has_lost_names; // a declaration whose name a syntax error took; has_syntax_errors is set
    bool has_syntax_errors;
    VECTOR(struct ast_diagnostic_control *) filters; // of all @diagnostic attributes; in the arena

    // Checker: the module-scope declarations so ordered that each comes after all it depends on.
    struct ast_declaration **sorted;
    uint32_t sorted_count;
    // The IR module that lowering fills; made by the parser, because the type table lives in it.
    struct ir_module *ir;
    struct type_table *types; // &ir->types; the checker adds every type of the module
    // Checker: the element counts of override-sized arrays; the `count` of such an array type is an
    // index into this list (ir.h override_counts). In the arena.
    VECTOR(struct ast_expression *) override_counts;
};

// The name with that spelling, made when it is new; NULL when out of memory. The bytes must outlive
// the module (a slice of the source, or a string constant).
struct ast_name *ast_module_intern(struct ast_module *module, struct text spelling);
